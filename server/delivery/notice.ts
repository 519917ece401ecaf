import type { NoticeKind } from '../../contract/delivery-templates.ts'
import { ulid } from '../ids.ts'
import type { NewNotice } from './message.ts'

/** Who is told, and where; for a change of address the one given up. `locale` as `chooseLocale` gives it. */
export type NoticeTo = Pick<NewNotice, 'userId' | 'deliveryMethod' | 'recipient' | 'locale'>

/** A day. Older, "was this you?" comes too late to help. */
const noticeLifeMs = 86_400_000

/** A notice to be queued by `messages.notify` in the transaction of the change it tells of. */
export const noticeFor = (
  kind: NoticeKind,
  { userId, deliveryMethod, recipient, locale }: NoticeTo,
  now: number,
): NewNotice => ({
  id: ulid(now),
  kind,
  userId,
  deliveryMethod,
  recipient,
  locale,
  createdAt: now,
  expiresAt: now + noticeLifeMs,
})
