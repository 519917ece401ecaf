import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../core/service-error.ts'
import type { Operator } from '../operators/operator.ts'
import { operatorIn } from '../operators/operator.ts'
import { operatorOfKey } from '../operators/operator-key.ts'
import { rootOperator } from '../operators/root-operator.ts'
import { sameText } from '../secrets/random-code.ts'
import type { CheckServices } from './check-services.ts'
import { bearerToken, type Credential } from './credentials.ts'
import { countRequest, requireAdmitted } from './limit-check.ts'

/**
 * The operator of a key in `Authorization`: the root key or an operator's. Wrong keys are logged and counted per client
 * address. The right key is never counted and works at every count, so a client behind the operator's proxy cannot lock
 * the operator out. The limit bounds log volume; what prevents guessing is the size of the key.
 * @throws ServiceError INVALID_ADMIN_KEY; TOO_MANY_REQUESTS for wrong keys past the limit
 */
export async function operatorOfCredential(
  request: FastifyRequest,
  credential: Exclude<Credential, 'missing'>,
  now: number,
  services: CheckServices,
): Promise<Operator> {
  const key = credential === 'repeated' ? null : bearerToken(credential.text)
  return (key !== null && (await findOperator(key, now, services))) || refuseKey(request, now, services)
}

/** The operator of a right key; null for any other. */
export async function findOperator(
  key: string,
  now: number,
  { adminKey, storage, recordOperatorUse }: CheckServices,
): Promise<Operator | null> {
  if (adminKey !== null && sameText(key, adminKey)) return rootOperator
  const stored = await operatorOfKey(key, storage.system.operators, now)
  if (stored === null) return null
  recordOperatorUse(stored.id, now)
  return operatorIn(stored)
}

/** Refuses a wrong key, which is counted and logged. */
export async function refuseKey(request: FastifyRequest, now: number, services: CheckServices): Promise<never> {
  const caller = services.callerAddress(request, null)
  const counted = await countRequest('admin-key', caller, now, services)
  // Refused requests are not logged: the limit exists to bound these lines.
  if (counted !== null) requireAdmitted(counted.verdict)
  const isLast = counted?.verdict.remaining === 0
  request.log.warn(
    { address: caller.address },
    isLast ? 'wrong admin key; limit reached, further attempts are refused and not logged' : 'wrong admin key',
  )
  throw new ServiceError('INVALID_ADMIN_KEY')
}
