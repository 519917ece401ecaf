import type { listActivity as operation } from '../../contract/accounts/activity.ts'
import type { Handler } from '../core/handler.ts'
import { isUlid } from '../core/ids.ts'
import { pageFrom } from '../core/pages.ts'
import { activityPresenter } from '../events/log/present-activity.ts'

const shownMs = 90 * 86_400_000

/** `GET /account/activity` (EVENTS-8): what happened to the account, newest first. */
export const listActivity: Handler<typeof operation> = ({ query }, { now, refuse, snapshot, storage, user }) =>
  pageFrom(
    query,
    refuse,
    (text) => (isUlid(text) ? text : null),
    ({ limit, after }) => storage.eventLog.listAbout(user.id, { limit, before: after, since: now - shownMs }),
    activityPresenter(user.id, snapshot.profileSchema.schema),
  )
