import type { z } from 'zod'
import type * as operations from '../../contract/admin/keys.ts'
import { optionalTimestamp, timestamp } from '../../contract/envelope.ts'
import type { PublicCall } from '../core/call.ts'
import type { Handler } from '../core/handler.ts'
import { keepAnswer } from '../core/idempotency.ts'
import { pageOf } from '../core/pages.ts'
import { record } from '../events/record.ts'
import type { PageRequest, TenantKey } from '../tenants/tenant.ts'
import { issueTenantKey } from '../tenants/tenant-key.ts'
import { getManagedTenant } from './managed-tenant.ts'

/** `POST /admin/tenants/{t}/keys`: only this response contains the key. */
export const createTenantKey: Handler<typeof operations.createTenantKey> = async (
  { params, body: { name, kind, expiresAt } },
  call,
  { storage },
) => {
  const { key, text } = newKey({ name, kind, expiresAt: readExpiry(expiresAt, call) }, call.now)
  const { stores } = await getManagedTenant(storage, params.tenantId, call.refuse)
  const answer = presentNewKey(key, text)
  await stores.write(async (tx) => {
    await keepAnswer(tx, call, answer)
    await tx.keys.add(key)
    await record(tx, call, { type: 'tenant_key.created', subject: aKey(key.id), details: { kind } })
  })
  return answer
}

/** `GET /admin/tenants/{t}/keys`, expired and revoked ones included. */
export const listTenantKeys: Handler<typeof operations.listTenantKeys> = (
  { params, query },
  { refuse },
  { storage },
) => {
  const list = async (request: PageRequest) =>
    (await getManagedTenant(storage, params.tenantId, refuse)).stores.keys.list(request)
  return pageOf(query, refuse, list, presentKey)
}

/** `DELETE /admin/tenants/{t}/keys/{k}`: takes effect immediately; 404 for an expired or revoked key. */
export const revokeTenantKey: Handler<typeof operations.revokeTenantKey> = async (
  { params: { tenantId, keyId } },
  call,
  { storage },
) => {
  const { now, refuse } = call
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  await stores.write(async (tx) => {
    if (!(await tx.keys.revoke(keyId, now))) throw refuse('TENANT_KEY_NOT_FOUND')
    await record(tx, call, { type: 'tenant_key.revoked', subject: aKey(keyId) })
  })
  return undefined
}

/**
 * `POST /admin/tenants/{t}/keys/{k}/rotate`: a new key of the same name and kind, without an expiry. The old one
 * expires after the overlap, or at its previous expiry if that is earlier; without an overlap it is revoked. Runs in one
 * transaction, so that one of several concurrent rotations without an overlap wins and the tenant always has a key.
 */
export const rotateTenantKey: Handler<typeof operations.rotateTenantKey> = async (
  { params: { tenantId, keyId }, body: { overlapSeconds } },
  call,
  { storage },
) => {
  const { now, refuse } = call
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  return await stores.write(async (tx) => {
    const old = await tx.keys.find(keyId)
    if (old === null) throw refuse('TENANT_KEY_NOT_FOUND')
    const { key, text } = newKey({ name: old.name, kind: old.kind, expiresAt: null }, now)
    const answer = presentNewKey(key, text)
    await keepAnswer(tx, call, answer)
    const ended =
      overlapSeconds === 0
        ? await tx.keys.revoke(keyId, now)
        : await tx.keys.expireAt(keyId, now + overlapSeconds * 1000, now)
    if (!ended) throw refuse('TENANT_KEY_NOT_FOUND')
    await tx.keys.add(key)
    const details = { successor: key.id }
    await record(tx, call, { type: 'tenant_key.rotated', subject: aKey(keyId), details })
    return answer
  })
}

const aKey = (id: string) => ({ kind: 'tenantKey', id }) as const

function readExpiry(expiresAt: string | undefined, { now, refuse }: PublicCall<'VALIDATION_ERROR'>): number | null {
  if (expiresAt === undefined) return null
  const time = Date.parse(expiresAt)
  // Negated, so that an unreadable date (NaN) is refused too.
  if (!(time > now)) throw refuse('VALIDATION_ERROR', { validation: { expiresAt: 'Validation rule not met' } })
  return time
}

function newKey(given: Pick<TenantKey, 'name' | 'kind' | 'expiresAt'>, now: number): { key: TenantKey; text: string } {
  const { id, text, secretHash } = issueTenantKey(given.kind, now)
  return { key: { ...given, id, secretHash, createdAt: now, revokedAt: null, lastUsedAt: null }, text }
}

const presentNewKey = ({ id, name, kind, createdAt, expiresAt }: TenantKey, text: string) => ({
  id,
  name,
  kind,
  key: text,
  createdAt: timestamp(createdAt),
  expiresAt: optionalTimestamp(expiresAt),
})

const presentKey = (key: TenantKey): z.input<typeof operations.TenantKey> => ({
  id: key.id,
  name: key.name,
  kind: key.kind,
  createdAt: timestamp(key.createdAt),
  expiresAt: optionalTimestamp(key.expiresAt),
  revokedAt: optionalTimestamp(key.revokedAt),
  lastUsedAt: optionalTimestamp(key.lastUsedAt),
})
