import type { OtpScope } from '../../../contract/accounts/otp.ts'
import { NoticeKind, TemplateKind } from '../../../contract/tenants/delivery-templates.ts'
import type { MessageKind } from '../message.ts'

/** Every kind of message that has a text. */
export const templateKinds: readonly TemplateKind[] = TemplateKind.options

const notices: ReadonlySet<TemplateKind> = new Set(NoticeKind.options)

/** Whether messages of this kind contain a one-time password; the other kinds are notices. */
export const carriesCode = (kind: TemplateKind): kind is OtpScope => !notices.has(kind)

/** The notices that contain an undo code and its id when sent to the replaced address. */
export type UndoableKind = 'email_changed' | 'phone_changed'

export const mayCarryUndo = (kind: TemplateKind): kind is UndoableKind =>
  kind === 'email_changed' || kind === 'phone_changed'

/**
 * The kind of text for an outbox row: the scope of a one-time password, or the kind of a notice.
 * @returns null for a one-time password without a scope, which is an invalid row
 */
export const templateKindOf = ({
  kind,
  scope,
}: {
  readonly kind: MessageKind
  readonly scope: OtpScope | null
}): TemplateKind | null => (kind === 'otp' ? scope : kind)
