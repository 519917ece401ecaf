import { ServiceError } from './service-error.ts'

/** How long an answer is kept. */
export const keptMs = 24 * 60 * 60_000

/** The answer to a request with an `Idempotency-Key`, encrypted. */
export interface KeyedAnswer {
  /** A hash of operation, caller and key. */
  readonly id: string
  /** The user or tenant that the answer describes; it is erased with the answer. */
  readonly subjectId: string | null
  readonly sealed: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The answers of one tenant. */
export interface IdempotencyStore {
  /** The encrypted answer, unless it has expired or the tenant was deleted. */
  find(id: string, now: number): Promise<string | null>
  /**
   * Stores an answer; false when there is one that has not expired. Waits for a concurrent transaction that stores one
   * under the same id.
   */
  add(answer: KeyedAnswer, now: number): Promise<boolean>
  /** Erases the answers that describe a user or a tenant. */
  forget(subjectId: string): Promise<void>
}

/** Binds an encrypted answer to its row. */
export const answerContext = (tenantId: string, id: string): readonly string[] => ['idempotency', tenantId, id]

/** Makes the row of an answer. A call has it only when its request has an `Idempotency-Key`. */
export type KeepAnswer = (answer: unknown, subjectId: string | null) => KeyedAnswer

/** A concurrent request with the same key committed first. `answerOnce` then answers what that request answered. */
export const answeredMeanwhile = () => new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })

/**
 * Stores the answer of a request that has an `Idempotency-Key`. Must be the first write of the transaction: a concurrent
 * request with the same key waits here, before it can fail on what this one wrote.
 */
export async function keepAnswer(
  { idempotency }: { readonly idempotency: IdempotencyStore },
  { now, keep }: { readonly now: number; readonly keep?: KeepAnswer | undefined },
  answer: unknown,
  subjectId: string | null = null,
): Promise<void> {
  if (keep !== undefined && !(await idempotency.add(keep(answer, subjectId), now))) throw answeredMeanwhile()
}
