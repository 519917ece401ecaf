import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { operationNames } from '../../contract/operations.ts'
import type { AdminCall, ConsoleSession } from '../core/call.ts'
import { isUlid } from '../core/ids.ts'
import { refuse, ServiceError } from '../core/service-error.ts'
import type { Operator } from '../operators/operator.ts'
import { operatorOfCredential } from './admin-key-check.ts'
import { type NamedResources, refusalOfOperator } from './authorise-operator.ts'
import type { CheckServices } from './check-services.ts'
import { clientGone } from './client-gone.ts'
import { readConsoleSession } from './console/console-check.ts'
import { readOnce } from './credentials.ts'
import { lastingRight } from './lasting-right.ts'
import { recordCaller } from './request-log.ts'

/**
 * Requires an operator who may make the request: first who it is (`authenticate`), then what they may do
 * (`refusalOfOperator`). A refusal of the second kind is recorded as an event.
 * @throws ServiceError MISSING_ADMIN_KEY, INVALID_ADMIN_KEY, TOO_MANY_REQUESTS, FOREIGN_ORIGIN, INSUFFICIENT_SCOPE,
 *   TENANT_NOT_FOUND
 */
export async function checkOperator(
  operation: Operation,
  request: FastifyRequest,
  services: CheckServices,
): Promise<AdminCall<ErrorCode>> {
  const now = services.clock.now()
  const { operator, session } = await authenticate(request, now, services)
  const { address } = services.callerAddress(request, null)
  const { 'user-agent': userAgent } = request.headers
  const gone = () => clientGone(request.raw)
  const named: NamedResources = {
    params: request.params as NamedResources['params'],
    query: request.query as NamedResources['query'],
  }
  const call = {
    ...{ now, refuse, requestId: request.id, operator, address, userAgent, gone },
    lastingRight: () => lastingRight(operation, named, operator, session, services),
  }
  const refusal = refusalOfOperator(operation, operator, named)
  if (refusal !== null) {
    services.recordRefusedOperator(call, operationNames.get(operation), refusal)
    throw refusal
  }
  const { tenantId } = named.params
  if (typeof tenantId === 'string' && isUlid(tenantId)) recordCaller(request, tenantId, null)
  return call
}

/** The operator that a request proves to be from: by a key, or without one by the cookie of the console. */
async function authenticate(
  request: FastifyRequest,
  now: number,
  services: CheckServices,
): Promise<{ operator: Operator; session: ConsoleSession | null }> {
  const credential = readOnce(request.raw, 'authorization')
  if (credential !== 'missing') {
    return { operator: await operatorOfCredential(request, credential, now, services), session: null }
  }
  const session = await readConsoleSession(request, now, services)
  if (session === 'missing') throw new ServiceError('MISSING_ADMIN_KEY')
  // Not counted: an open page may go on asking after its session has ended, and no one can guess a token.
  if (session === 'ended') throw new ServiceError('INVALID_ADMIN_KEY')
  return { operator: session.operator, session }
}
