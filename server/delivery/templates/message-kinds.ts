import { NoticeKind, TemplateKind } from '../../../contract/delivery-templates.ts'
import type { OtpScope } from '../../../contract/otp.ts'
import type { MessageKind } from '../message.ts'

/** Every kind of message there is a text for. */
export const templateKinds: readonly TemplateKind[] = TemplateKind.options

const notices: ReadonlySet<TemplateKind> = new Set(NoticeKind.options)

/** Whether every message of this kind carries a one-time password; the other kinds are notices. */
export const carriesCode = (kind: TemplateKind): kind is OtpScope => !notices.has(kind)

/** The notices that carry an undo code, the code and its id, when they go to the address that was replaced. */
export type UndoableKind = 'email_changed' | 'phone_changed'

export const mayCarryUndo = (kind: TemplateKind): kind is UndoableKind =>
  kind === 'email_changed' || kind === 'phone_changed'

/**
 * The text a row of the outbox asks for: an OTP's by its scope.
 * @returns null for an OTP without a scope, which no row should be.
 */
export const templateKindOf = ({
  kind,
  scope,
}: {
  readonly kind: MessageKind
  readonly scope: OtpScope | null
}): TemplateKind | null => (kind === 'otp' ? scope : kind)
