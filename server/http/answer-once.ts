import { hash } from 'node:crypto'
import { canonicalJson } from '../core/canonical-json.ts'
import { answerContext, type IdempotencyStore, type KeepAnswer, keptMs } from '../core/idempotency.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Keyring } from '../secrets/keyring.ts'

/** A request with an `Idempotency-Key`. */
interface KeyedRequest {
  /** The tenant, or `deployment`. */
  readonly tenantId: string
  /** Operation, caller and key: requests are repeats of each other only when all parts are equal. */
  readonly scope: readonly string[]
  /** The validated body. */
  readonly body: unknown
}

/** What is encrypted. The hash is inside, because a body may contain a password that is easy to guess. */
interface Kept {
  readonly body: string
  readonly answer: unknown
}

/**
 * Answers a repeated request what the first one was answered; otherwise acts (IDEMPOTENCY-1 to IDEMPOTENCY-8).
 * @param act performs the operation and keeps its answer in the transaction of its effect
 * @throws {ServiceError} IDEMPOTENCY_KEY_REUSED: the key was used with another body
 */
export async function answerOnce(
  { tenantId, scope, body }: KeyedRequest,
  { store, keyring, now }: { readonly store: IdempotencyStore; readonly keyring: Keyring; readonly now: number },
  act: (keep: KeepAnswer) => Promise<unknown>,
): Promise<unknown> {
  const id = hash('sha256', JSON.stringify(scope), 'base64url')
  const context = answerContext(tenantId, id)
  const bodyHash = hash('sha256', canonicalJson(body), 'base64url')

  const find = async (): Promise<Kept | null> => {
    const sealed = await store.find(id, now)
    if (sealed === null) return null
    const kept: Kept = JSON.parse(keyring.open(sealed, context))
    if (kept.body !== bodyHash) throw new ServiceError('IDEMPOTENCY_KEY_REUSED')
    return kept
  }
  const keep: KeepAnswer = (answer, subjectId) => {
    const kept: Kept = { body: bodyHash, answer }
    return { id, subjectId, sealed: keyring.seal(JSON.stringify(kept), context), expiresAt: now + keptMs }
  }

  const known = await find()
  if (known !== null) return known.answer
  try {
    return await act(keep)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // Another request with this key may have committed since: then it caused the refusal, such as a duplicate address.
    const meanwhile = await find()
    if (meanwhile === null) throw error
    return meanwhile.answer
  }
}
