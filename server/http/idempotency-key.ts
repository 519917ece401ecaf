import type { FastifyRequest } from 'fastify'
import type { AdminCall, MaybeUserCall, PublicCall } from '../core/call.ts'
import { deployment } from '../core/deployment.ts'
import type { KeepAnswer } from '../core/idempotency.ts'
import { createQueues } from '../core/one-at-a-time.ts'
import { invalid } from '../core/service-error.ts'
import { limitSubject } from '../limits/address.ts'
import { rootOperator } from '../operators/root-operator.ts'
import type { Services } from '../services.ts'
import { answerOnce } from './answer-once.ts'
import { readOnce } from './credentials.ts'

/** The parsed request, as far as its repeats are recognized by it. */
interface ParsedRequest {
  readonly params?: unknown
  readonly body?: unknown
}

/** Answers a request that has an `Idempotency-Key`. */
type AnswerKeyed = (
  request: FastifyRequest,
  input: ParsedRequest,
  call: PublicCall,
  act: (keep: KeepAnswer) => Promise<unknown>,
) => Promise<unknown>

/**
 * The repeats that arrive at this process while the first request runs wait for it, before they take a unit of any budget.
 * @param operation the path of the operation
 */
export function createKeyedAnswers(operation: string, { storage, keyring }: Services): AnswerKeyed {
  const inTurn = createQueues()
  return async (request, { params, body }, call, act) => {
    const key = readKey(request)
    const { tenantId: managed, ...ids } = (params ?? {}) as Readonly<Record<string, string>>
    const { tenantId, caller } = callerOf(call, managed)
    const stores = tenantId === deployment ? storage.system : storage.forTenant(tenantId)
    const scope = [operation, ...Object.values(ids), ...caller, key]
    return inTurn(JSON.stringify([tenantId, ...scope]), () =>
      answerOnce({ tenantId, scope, body }, { store: stores.idempotency, keyring, now: call.now }, act),
    )
  }
}

/** The key: 1 to 255 visible ASCII characters, sent once (draft-ietf-httpapi-idempotency-key-header, 2.1). */
function readKey(request: FastifyRequest): string {
  const sent = readOnce(request.raw, 'idempotency-key')
  if (typeof sent === 'object' && /^[\x21-\x7e]{1,255}$/.test(sent.text)) return sent.text
  throw invalid({ 'Idempotency-Key': 'Expected one key of 1 to 255 visible ASCII characters, such as a UUID' })
}

/**
 * Whose request it is. A publishable key is known to everyone, and the id in the answer of `POST /otp` becomes a sign-in
 * token: an anonymous caller is therefore recognized by address too, so that guessing the key is not enough.
 * @param managed the tenant in the path of an operator's request
 */
function callerOf(
  call: PublicCall | AdminCall | MaybeUserCall,
  managed: string | undefined,
): { tenantId: string; caller: readonly string[] } {
  if (!('tenantId' in call)) {
    // Answers contain keys, so that no operator gets what another one was answered. Root is recognized as before operators.
    const isNamed = 'operator' in call && call.operator.id !== rootOperator.id
    return { tenantId: managed ?? deployment, caller: isNamed ? ['operator', call.operator.id] : ['operator'] }
  }
  const { tenantId, key, session, address } = call
  if (session !== null) return { tenantId, caller: ['session', session.id] }
  return { tenantId, caller: key.kind === 'secret' ? ['key', key.id] : ['address', key.id, limitSubject(address)] }
}
