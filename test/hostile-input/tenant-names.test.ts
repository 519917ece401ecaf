import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index))
const controls = [...range(0x01, 0x1f), ...range(0x7f, 0x9f)]
const directions = [...range(0x200e, 0x200f), ...range(0x202a, 0x202e), ...range(0x2066, 0x2069), '\u061c']
const refused = { name: 'Control and bidirectional formatting characters are not allowed; remove them' }

const create = (name: string): Promise<WireAnswer> => target.send('createTenant', { body: { name } })

function update(body: object): Promise<WireAnswer> {
  const { service, tenant } = target
  const headers: [string, string][] = [
    ['authorization', `Bearer ${service.adminKey}`],
    ['content-type', 'application/json'],
  ]
  const path = `/admin/tenants/${tenant.tenantId}`
  return send(service.baseUrl, { method: 'PATCH', path, headers, body: JSON.stringify(body) })
}

test('rejects control and bidirectional formatting characters in a tenant name', async () => {
  await target.unchanged(async () => {
    for (const character of [...controls, ...directions]) {
      for (const name of [character, `Ac${character}me`, `Acme${character}`]) {
        assertRefusal(await create(name), 'VALIDATION_ERROR', refused)
        assertRefusal(await update({ name }), 'VALIDATION_ERROR', refused)
      }
    }
    for (const name of ['Ac\0me', 'Ac\ud800me', '\udfff']) {
      assertRefusal(await create(name), 'VALIDATION_ERROR', { name: 'Invalid string' })
    }
  })
})

test('rejects a tenant name without a visible character', async () => {
  await target.unchanged(async () => {
    for (const name of [' ', '\u00a0\u3000', '\u200b', '\ufeff \u2060', '\u3164', '\u2800', '\ufe0f', '\u{e0020}']) {
      assertRefusal(await create(name), 'VALIDATION_ERROR', { name: 'Must contain a visible character' })
      assertRefusal(await update({ name }), 'VALIDATION_ERROR', { name: 'Must contain a visible character' })
    }
  })
})

test('stores names in any script unchanged', async () => {
  for (const name of ['Café “Ω” 東京', 'شركة', 'חברה בע״מ', '👩‍👧 & Söhne', 'a\u00a0b\u200db', '<b>Acme</b>']) {
    assert.equal(assertSuccess(await create(name), 201)['name'], name)
    assert.equal(assertSuccess(await update({ name }), 200)['name'], name)
  }
})

test('reads and updates a stored tenant whose name has such characters', async () => {
  const { service, tenant } = target
  const name = 'Acme\u202e\n'
  const { storage } = service.service.services
  await storage.forTenant(tenant.tenantId).tenant.update({ name }, service.clock.now())
  assert.equal((await service.admin.getTenant(tenant)).name, name)
  assert.equal(assertSuccess(await update({ suspended: false }), 200)['name'], name)
  assertRefusal(await update({ name }), 'VALIDATION_ERROR', refused)
})
