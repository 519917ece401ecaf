import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import { operationNames } from '../../../contract/operations.ts'
import type { ConsoleCall, ConsoleSession } from '../../core/call.ts'
import { refuse, ServiceError } from '../../core/service-error.ts'
import { findConsoleSession } from '../../operators/find-console-session.ts'
import { findOperator, refuseKey } from '../admin-key-check.ts'
import type { CheckRun, CheckServices } from '../check-services.ts'
import { checkLimit } from '../limit-check.ts'
import { readConsoleCookie } from './console-cookie.ts'
import { isForeign, mayUseConsoleCookie } from './console-origin.ts'

/**
 * The console session of a request. Which sites may send it is checked before the session is read, so a refusal says
 * nothing about the session.
 * @throws ServiceError FOREIGN_ORIGIN
 */
export async function readConsoleSession(
  request: FastifyRequest,
  now: number,
  services: CheckServices,
): Promise<ConsoleSession | 'missing' | 'ended'> {
  const cookie = readConsoleCookie(request.raw)
  if (cookie === 'missing') return 'missing'
  if (!mayUseConsoleCookie(request.raw, publicOriginOf(services))) throw new ServiceError('FOREIGN_ORIGIN')
  return cookie === 'malformed' ? 'ended' : ((await findConsoleSession(cookie.token, now, services)) ?? 'ended')
}

const publicOriginOf = ({ publicUrl }: CheckServices): string => new URL(publicUrl).origin

/**
 * The checks of the console's own operations: their session may be missing. A page of another origin is refused even
 * without a cookie, so that it cannot sign this browser in as another operator (login CSRF). That is not counted against
 * the limit, so that it cannot use the limit up either.
 */
export async function checkConsole(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  run: CheckRun,
  services: CheckServices,
): Promise<ConsoleCall<ErrorCode>> {
  const now = services.clock.now()
  if (isForeign(request.raw, publicOriginOf(services))) throw new ServiceError('FOREIGN_ORIGIN')
  const caller = services.callerAddress(request, null)
  if (operation.limit !== undefined && run === 'first') await checkLimit(operation.limit, caller, reply, now, services)
  // A sign-in replaces the session of the browser, but only where it may use it.
  const isUsable = operation.method !== 'POST' || mayUseConsoleCookie(request.raw, publicOriginOf(services))
  const session = isUsable ? await readConsoleSession(request, now, services) : 'missing'
  const who = { now, requestId: request.id, address: caller.address, userAgent: request.headers['user-agent'] }
  return {
    ...who,
    refuse,
    session: typeof session === 'string' ? null : session,
    authenticate: async (key) => {
      const operator = await findOperator(key, now, services)
      if (operator !== null) return operator
      return refuseKey(request, now, services).catch((error) => {
        // Beyond the limit of wrong keys nothing is recorded, as nothing is logged.
        if (error instanceof ServiceError && error.code === 'INVALID_ADMIN_KEY') {
          services.recordRefusedOperator({ ...who, operator: null }, operationNames.get(operation), error)
        }
        throw error
      })
    },
  }
}
