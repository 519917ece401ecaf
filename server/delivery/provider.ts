import type { DeliveryMethod, OtpScope } from '../../contract/accounts/otp.ts'
import type { MessageKind } from './message.ts'

/** A rendered message that any provider can send. Never logged, never stored in plain text. */
export interface RenderedMessage {
  /** The same on every attempt, so that receiving systems can detect duplicates. */
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
  /** The From address and name of an e-mail; null for the provider's own. */
  readonly from: { readonly address: string; readonly name: string | null } | null
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A connection to a service that sends e-mail or SMS. */
export interface Provider {
  /** The name of the sender in the configuration: unique per tenant and method, without secrets. */
  readonly name: string
  readonly method: DeliveryMethod
  /** How many messages it sends at once; further ones wait. No limit by default. */
  readonly connections?: number
  /**
   * Resolves when the provider accepts the message. Rejects with `PermanentFailure` when a retry cannot succeed (SMTP 5xx,
   * HTTP 4xx), and with any other error when it may.
   */
  send(message: RenderedMessage, signal: AbortSignal): Promise<void>
  /** Closes its connections. */
  close(): Promise<void>
}

/** A provider, and its circuit if that is open. */
export interface ProviderState extends Pick<Provider, 'name' | 'method'> {
  readonly circuit: {
    /** When the next message tries it, in epoch milliseconds; null when none will. */
    readonly openUntil: number | null
    readonly lastError: string
  } | null
}

/** The provider will not accept this message, even in a retry. The error's message does not contain the code. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

interface TemporaryFailureDetails {
  /** From the provider's response, if it had one. */
  readonly retryAfterSeconds?: number | undefined
  /** `message` if the provider works and defers this message alone; `provider` by default. */
  readonly concerns?: 'provider' | 'message'
}

/** A retry, or another provider, may succeed. The error's message does not contain the code. */
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
