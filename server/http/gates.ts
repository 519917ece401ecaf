import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import type { AccessTokenClaims, AccessTokens } from '../accounts/access-token.ts'
import { isSuspended } from '../accounts/restriction.ts'
import { isLive, type Session } from '../accounts/session.ts'
import type { User } from '../accounts/user.ts'
import type { Clock } from '../core/clock.ts'
import type { Authentication, MaybeUserCall, PublicCall } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import type { Gate, Storage } from '../storage/storage.ts'
import { requireCapability } from '../tenants/require-capability.ts'
import { isUsableKey, requireTenant } from '../tenants/require-tenant.ts'
import { type ParsedTenantKey, parseTenantKey } from '../tenants/tenant-key.ts'
import type { TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import { adminGate } from './admin-gate.ts'
import type { ReadCallerAddress } from './caller-address.ts'
import { clientGone } from './client-gone.ts'
import { allowOrigin } from './cors.ts'
import { bearerToken, readOnce } from './credentials.ts'
import { limitGate } from './limit-gate.ts'
import { recordCaller } from './request-log.ts'

/** What the gates ask. */
export interface GateKeepers {
  readonly clock: Clock
  readonly storage: Storage
  readonly snapshots: TenantSnapshots
  readonly accessTokens: AccessTokens
  readonly limiter: RateLimiter
  readonly limits: LimitSettings
  readonly callerAddress: ReadCallerAddress
  readonly adminKey: string
  /** Told of every use of a key; must not block. */
  noteKeyUse(keyId: string, now: number): void
}

/**
 * Gates 1 to 5 of design 2, in their order: the first that refuses answers. Nothing of the body has been read yet.
 * @returns what the handler is told of the caller.
 */
export function createGates(operation: Operation, keepers: GateKeepers) {
  if (operation.auth === 'none') return (): PublicCall => ({ now: keepers.clock.now() })
  if (operation.auth === 'admin') return (request: FastifyRequest) => adminGate(request, keepers)
  return (request: FastifyRequest, reply: FastifyReply) => tenantGates(operation, request, reply, keepers)
}

async function tenantGates(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  keepers: GateKeepers,
): Promise<MaybeUserCall> {
  const { headers } = request
  const now = keepers.clock.now()
  const key = readKey(request)
  const lookUp = async (sessionId: string | null) =>
    key.parsed ? await keepers.storage.gate(key.parsed.id, sessionId) : null

  // A browser may only read an answer that names its origin, and a tenant's server may name its user's address: for
  // either the key is looked up before the limit, silently.
  const isEarly = headers.origin !== undefined || headers['x-client-ip'] !== undefined
  const early = isEarly ? await lookUp(null) : null
  const known = early !== null && isUsableKey(early, key.parsed, now) ? early : null
  if (known !== null && headers.origin !== undefined) {
    allowOrigin(reply, headers.origin, await keepers.snapshots.of(known.tenant))
  }

  const caller = keepers.callerAddress(request, known)
  if (operation.limit !== undefined) await limitGate(operation.limit, caller, reply, now, keepers)

  const token = operation.auth === 'tenant' ? null : await readToken(request, now, keepers)
  const gate = isEarly && !token?.claims ? early : await lookUp(token?.claims?.sid ?? null)
  requireTenant(gate, key, now)
  keepers.noteKeyUse(gate.key.id, now)
  recordCaller(request, gate.tenant.id, null)

  const who = token === null ? anonymous : requireUser(gate, token, operation.auth === 'tenant, user', now)
  if (who.user !== null) recordCaller(request, gate.tenant.id, who.user.id)
  if (who.user !== null && isSuspended(who.user, now)) throw new ServiceError('RESTRICTED_CAPABILITY')
  const tenant = await keepers.snapshots.of(gate.tenant)
  if (operation.capability !== undefined) requireCapability(operation.capability, tenant, who.user, now)
  return {
    now,
    tenantId: gate.tenant.id,
    tenant,
    storage: keepers.storage.forTenant(gate.tenant.id),
    address: caller.address,
    acceptLanguage: headers['accept-language'],
    userAgent: headers['user-agent'],
    gone: () => clientGone(request.raw),
    ...who,
  }
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

async function readToken(request: FastifyRequest, now: number, { accessTokens }: GateKeepers): Promise<Token> {
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

function requireUser(gate: Gate, token: Token, required: boolean, now: number): Who {
  if (!token.sent) {
    if (required) throw new ServiceError('MISSING_USER_TOKEN')
    return anonymous
  }
  const { claims } = token
  const { session, user, tenant } = gate
  const genuine = claims !== null && claims.aud === tenant.id && session !== null && claims.sub === session.userId
  if (!genuine || !isLive(session, now)) throw new ServiceError('INVALID_USER_TOKEN')
  if (user === null) throw new ServiceError('TOKEN_USER_NOT_FOUND')
  // A token issued before tokens named the time is as fresh as its session.
  const at = claims.authTime === undefined ? session.createdAt : claims.authTime * 1000
  return { user, session, authentication: { at, amr: claims.amr } }
}
