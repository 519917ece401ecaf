import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { operationNames } from '../../contract/operations.ts'
import { isSuspended } from '../accounts/restriction.ts'
import type { AccessTokenClaims } from '../accounts/sessions/access-token.ts'
import { isLive, type Session } from '../accounts/sessions/session.ts'
import type { User } from '../accounts/user.ts'
import type { Authentication, MaybeUserCall, PublicCall } from '../core/call.ts'
import { refuse, ServiceError } from '../core/service-error.ts'
import type { LimitedCall } from '../events/exceeded-limits.ts'
import type { CallerRecord } from '../storage/storage.ts'
import { type ParsedTenantKey, parseTenantKey } from '../tenants/tenant-key.ts'
import type { CheckRun, CheckServices } from './check-services.ts'
import { clientGone } from './client-gone.ts'
import { checkConsole } from './console/console-check.ts'
import { allowOrigin } from './cors.ts'
import { bearerToken, readOnce } from './credentials.ts'
import { checkLimit } from './limit-check.ts'
import { checkOperator } from './operator-check.ts'
import { recordCaller } from './request-log.ts'
import { requireCapability } from './require-capability.ts'
import { isUsableKey, requireTenant } from './require-tenant.ts'

/** Resolves with the call as its handler receives it. */
export type RequestChecks = (
  request: FastifyRequest,
  reply: FastifyReply,
  run: CheckRun,
) => PublicCall<ErrorCode> | Promise<PublicCall<ErrorCode>>

/** The request checks of an operation in their order (CHECK-1); the first one that refuses answers. */
export function createRequestChecks(operation: Operation, services: CheckServices): RequestChecks {
  if (operation.auth === 'none') return ({ id: requestId }) => ({ now: services.clock.now(), refuse, requestId })
  if (operation.auth === 'admin') return (request) => checkOperator(operation, request, services)
  if (operation.auth === 'console')
    return (request, reply, run) => checkConsole(operation, request, reply, run, services)
  return (request, reply, run) => checkTenantRequest(operation, request, reply, run, services)
}

async function checkTenantRequest(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  run: CheckRun,
  services: CheckServices,
): Promise<MaybeUserCall<ErrorCode>> {
  const { headers } = request
  const now = services.clock.now()
  const key = readKey(request)
  const lookUp = async (sessionId: string | null) =>
    key.parsed ? await services.storage.callerRecord(key.parsed.id, sessionId) : null

  // A browser can only read a response that allows its origin, and a secret key may name the address of its client. For
  // both, the key is looked up before the limit, without refusing.
  const isEarly = headers.origin !== undefined || headers['x-client-ip'] !== undefined
  const early = isEarly ? await lookUp(null) : null
  const known = early !== null && isUsableKey(early, key.parsed, now) ? early : null
  if (known !== null && headers.origin !== undefined) {
    allowOrigin(request, reply, await services.snapshots.of(known.tenant), services.origins)
  }

  const caller = services.callerAddress(request, known)
  if (operation.limit !== undefined && run === 'first') {
    try {
      await checkLimit(operation.limit, caller, reply, now, services)
    } catch (error) {
      noteExceeded(operation, request, caller.address, key.parsed, services)
      throw error
    }
  }

  const token = operation.auth === 'tenant' ? null : await readToken(request, now, services)
  const record = isEarly && !token?.claims ? early : await lookUp(token?.claims?.sid ?? null)
  requireTenant(record, key, now)
  services.recordKeyUse(record.key.id, now)
  recordCaller(request, record.tenant.id, null)

  const who = token === null ? anonymous : requireUser(record, token, operation.auth === 'tenant, user', now)
  if (who.user !== null) recordCaller(request, record.tenant.id, who.user.id)
  if (who.user !== null && isSuspended(who.user, now)) throw new ServiceError('RESTRICTED_CAPABILITY')
  const snapshot = await services.snapshots.of(record.tenant)
  if (operation.capability !== undefined) requireCapability(operation.capability, snapshot, who.user, now)
  return {
    now,
    refuse,
    requestId: request.id,
    tenantId: record.tenant.id,
    key: record.key,
    snapshot,
    storage: services.storage.forTenant(record.tenant.id),
    address: caller.address,
    acceptLanguage: headers['accept-language'],
    userAgent: headers['user-agent'],
    gone: () => clientGone(request.raw),
    ...who,
  }
}

/** The tenant is looked up later, because a flood of refused requests must cost no statement. */
function noteExceeded(
  operation: Operation,
  { id: requestId, headers }: FastifyRequest,
  address: string,
  key: ParsedTenantKey | null,
  { exceededLimits, storage, snapshots }: CheckServices,
): void {
  if (key === null) return
  const userAgent = headers['user-agent']
  const find = async (now: number): Promise<LimitedCall | null> => {
    const record = await storage.callerRecord(key.id, null)
    if (record === null || !isUsableKey(record, key, now)) return null
    const { tenant } = record
    return {
      now,
      requestId,
      key: record.key,
      snapshot: await snapshots.of(tenant),
      tenantId: tenant.id,
      address,
      userAgent,
    }
  }
  exceededLimits.noteUnknown({ address, key: key.id, find }, operationNames.get(operation)!)
}

/** The tenant key as sent; `parsed` is null for anything malformed or sent twice. */
function readKey(request: FastifyRequest): { sent: boolean; parsed: ParsedTenantKey | null } {
  const credential = readOnce(request.raw, 'x-tenant-key')
  if (credential === 'missing') return { sent: false, parsed: null }
  return { sent: true, parsed: credential === 'repeated' ? null : parseTenantKey(credential.text) }
}

interface Token {
  readonly sent: boolean
  readonly claims: AccessTokenClaims | null
}

async function readToken(request: FastifyRequest, now: number, { accessTokens }: CheckServices): Promise<Token> {
  const credential = readOnce(request.raw, 'authorization')
  if (credential === 'missing') return { sent: false, claims: null }
  const token = credential === 'repeated' ? null : bearerToken(credential.text)
  return { sent: true, claims: token === null ? null : await accessTokens.verify(token, now) }
}

interface Who {
  readonly user: User | null
  readonly session: Session | null
  readonly authentication: Authentication | null
}

const anonymous: Who = { user: null, session: null, authentication: null }

function requireUser(record: CallerRecord, token: Token, required: boolean, now: number): Who {
  if (!token.sent) {
    if (required) throw new ServiceError('MISSING_USER_TOKEN')
    return anonymous
  }
  const { claims } = token
  const { session, user, tenant } = record
  const genuine = claims !== null && claims.aud === tenant.id && session !== null && claims.sub === session.userId
  if (!genuine || !isLive(session, now)) throw new ServiceError('INVALID_USER_TOKEN')
  if (user === null) throw new ServiceError('TOKEN_USER_NOT_FOUND')
  // Tokens of older versions have no time: the sign-in counts.
  const at = claims.authTime === undefined ? session.createdAt : claims.authTime * 1000
  return { user, session, authentication: { at, amr: claims.amr } }
}
