import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { issueTenantKey } from '../../server/tenants/tenant-key.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

let service: TestService
let tenant: TestTenant
let reads: string[] = []

before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => reads.push(name) } })
  tenant = await service.addTenant()
})
after(() => service.close())

/** The checksum is not secret: an attacker can compute it for a forged key. */
function withChecksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return `${text}_${digits}`
}

const flipped = (text: string, at: number): string => {
  const character = text.charAt(at)
  const other = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()
  return text.slice(0, at) + other + text.slice(at + 1)
}

async function assertRefused(key: string): Promise<void> {
  const answer = await request(service, 'GET /tenant-configuration', { key })
  assert.deepEqual([answer.status, answer.body.error.code], [401, 'INVALID_TENANT_KEY'], key)
}

/** The part covered by the checksum. */
const checked = (key: string): string => key.slice(0, -7)

test('accepts the unmodified key', async () => {
  await tenant.client.getTenantConfiguration()
  assert.equal(withChecksum(checked(tenant.key)), tenant.key)
})

test('rejects a truncated, padded or case-changed key without a database lookup', async () => {
  const { key } = tenant
  const malformed = [
    ...Array.from({ length: key.length - 1 }, (_, cut) => key.slice(0, cut + 1)),
    ...Array.from(key, (_, at) => flipped(key, at)).filter((other) => other !== key),
    `${key}=`,
    `${key}0`,
    `x${key}`,
    key.replace('tk_', 'sk_'),
    `Bearer ${key}`,
    `"${key}"`,
    `${key},${key}`,
  ]
  await changesNothing(service, async () => {
    reads = []
    for (const text of malformed) await assertRefused(text)
    assert.deepEqual(
      reads.filter((name) => name.startsWith('caller.')),
      [],
    )
  })
})

test('rejects a forged key with a valid checksum: other secret, kind or case, or unknown id', async () => {
  const [tk, kind, id, secret] = tenant.key.split('_') as [string, string, string, string, string]
  const other = issueTenantKey('publishable', service.clock.now()).text.split('_')[3]
  const forged = [
    `${tk}_${kind}_${id}_${other}`,
    `${tk}_sec_${id}_${secret}`,
    // Changes the last letter, because a digit has no case.
    `${tk}_${kind}_${id}_${flipped(secret, secret.search(/[A-Za-z][0-9]*$/))}`,
    `${tk}_${kind}_${id}_${secret.toUpperCase()}`,
    `${tk}_${kind}_${id.toLowerCase()}_${secret}`,
    `${tk}_${kind}_${'0'.repeat(26)}_${secret}`,
    `${tk}_admin_${id}_${secret}`,
  ]
  for (const text of forged) {
    assert.notEqual(text, checked(tenant.key))
    await assertRefused(withChecksum(text))
  }
  await assertRefused(issueTenantKey('publishable', service.clock.now()).text)
  const [, , secretId, secretSecret] = tenant.secretKey.split('_')
  await assertRefused(withChecksum(`tk_pub_${secretId}_${secretSecret}`))
  await assertRefused(withChecksum(`tk_pub_${secretId}_${secret}`))
})

test('accepts a rotated key until its overlap ends, to the millisecond', async () => {
  const { id, key } = await service.admin.createTenantKey(tenant, { name: 'rotated' })
  const line = 'GET /tenant-configuration'
  const { key: fresh } = await service.admin.rotateTenantKey({ ...tenant, keyId: id }, { overlapSeconds: 60 })
  service.clock.advance(59_999)
  assert.equal((await request(service, line, { key })).status, 200)
  service.clock.advance(1)
  await assertRefused(key)
  assert.equal((await request(service, line, { key: fresh })).status, 200)
  const [freshId] = fresh.split('_').slice(2)
  const { key: freshest } = await service.admin.rotateTenantKey({ ...tenant, keyId: freshId! }, { overlapSeconds: 0 })
  await assertRefused(fresh)
  assert.equal((await request(service, line, { key: freshest })).status, 200)
  await service.admin.revokeTenantKey({ ...tenant, keyId: freshest.split('_')[2]! })
  await assertRefused(freshest)
})

test('rejects a key from its expiry, to the millisecond', async () => {
  const expiresAt = new Date(service.clock.now() + 1000).toISOString()
  const { key } = await service.admin.createTenantKey(tenant, { expiresAt })
  service.clock.advance(999)
  assert.equal((await request(service, 'GET /tenant-configuration', { key })).status, 200)
  service.clock.advance(1)
  await assertRefused(key)
})

test('rejects an admin key that is truncated, padded, case-changed or in the wrong place', async () => {
  const line = `GET /admin/tenants/${tenant.tenantId}`
  const { adminKey } = service
  const malformed = [adminKey.slice(0, -1), `${adminKey}=`, `${adminKey}x`, flipped(adminKey, 0), tenant.secretKey, 'x']
  for (const key of malformed) {
    const answer = await request(service, line, { headers: { authorization: `Bearer ${key}` } })
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'INVALID_ADMIN_KEY'])
  }
  const elsewhere: Record<string, string>[] = [
    { 'x-admin-key': adminKey },
    { cookie: `authorization=Bearer ${adminKey}` },
    {},
  ]
  for (const headers of elsewhere) {
    const answer = await request(service, `${line}?authorization=${adminKey}`, { headers })
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'MISSING_ADMIN_KEY'])
  }
  await refused(tenant.client.getProfile(), 'MISSING_USER_TOKEN')
})
