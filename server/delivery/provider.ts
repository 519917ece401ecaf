import type { DeliveryMethod, OtpScope } from '../../contract/otp.ts'
import type { MessageKind } from './message.ts'

/** A message as it leaves: rendered, addressed, ready for any sender. Never logged, never stored in clear. */
export interface RenderedMessage {
  /** Stable over retries: a recipient's system can recognise a message sent twice. */
  readonly id: string
  readonly tenantId: string
  readonly kind: MessageKind
  readonly scope: OtpScope | null
  readonly method: DeliveryMethod
  readonly recipient: string
  readonly locale: string
  /** E-mail only. */
  readonly subject: string | null
  readonly text: string
  /** E-mail only. */
  readonly html: string | null
  /** The address and name e-mail comes from; null for the sender's own. */
  readonly from: { readonly address: string; readonly name: string | null } | null
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/**
 * Somebody who takes messages off our hands. `send` resolves when the provider has said yes. It rejects with
 * `PermanentFailure` when trying again is pointless (SMTP 5xx, HTTP 4xx), with anything else when it may help later.
 */
export interface Provider {
  /** For people and breakers: unique within a tenant, no secret in it. */
  readonly name: string
  readonly method: DeliveryMethod
  send(message: RenderedMessage, signal: AbortSignal): Promise<void>
  /** Ends its connections. */
  close(): Promise<void>
}

/** The provider's no: the same message will not be taken by this sender. The message of the error has no code in it. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** What a provider may say of a failure besides its words. */
export interface TemporaryFailureDetails {
  /** How long the provider asked us to wait, when it did. */
  readonly retryAfterSeconds?: number | undefined
  /** `message` when the provider works and defers this message alone: other messages may go on. `provider` unless told. */
  readonly concerns?: 'provider' | 'message'
}

/** Not now: another try, later or by another sender, may succeed. The message of the error has no code in it. */
export class TemporaryFailure extends Error {
  override name = 'TemporaryFailure'
  readonly retryAfterSeconds: number | undefined
  readonly concerns: 'provider' | 'message'

  constructor(message: string, { retryAfterSeconds, concerns = 'provider' }: TemporaryFailureDetails = {}) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
    this.concerns = concerns
  }
}
