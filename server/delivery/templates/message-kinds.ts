import { NoticeKind, TemplateKind } from '../../../contract/delivery-templates.ts'
import type { OtpScope } from '../../../contract/otp.ts'
import type { MessageKind } from '../message.ts'

/** Every kind of message there is a text for. */
export const templateKinds: readonly TemplateKind[] = TemplateKind.options

const notices: ReadonlySet<TemplateKind> = new Set(NoticeKind.options)

/** Whether a message of this kind brings a code; the others are notices. */
export const carriesCode = (kind: TemplateKind): kind is OtpScope => !notices.has(kind)

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
