import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { invalid } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let tenantId: string
before(async () => {
  service = await startTestService()
  tenantId = (await service.addTenant()).tenantId
})
after(() => service.close())

const emailsOf = async (q: string) =>
  (await service.admin.listUsers({ tenantId }, { q })).items.map(({ email, phone }) => email ?? phone)
const namesOf = async (q: string, admin = service.admin) =>
  (await admin.listTenants({ q })).items.map(({ name }) => name)

const spaces = [' ', '   ', '\t', '\r\n', '\u00a0', '\u2003\u3000', '\u202f \t']

test('refuses a search for spaces: it would list everything', async () => {
  const { key: adminKey } = await service.admin.createOperator({
    name: 'Bound',
    scopes: ['tenants:read', 'users:read'],
    tenantIds: [tenantId],
  })
  const bound = createTenantryAdmin({ baseUrl: service.baseUrl, adminKey })
  const rule = { q: 'Validation rule not met' }
  for (const q of spaces) {
    await invalid(service.admin.listUsers({ tenantId }, { q }), rule)
    for (const admin of [service.admin, bound]) await invalid(admin.listTenants({ q }), rule)
  }
})

test('refuses a text that is too long, and finds nothing by a long one', async () => {
  await invalid(service.admin.listUsers({ tenantId }, { q: 'a'.repeat(1_000) }), {
    q: 'String must contain at most 254 character(s)',
  })
  await invalid(service.admin.listTenants({ q: '😀'.repeat(1_000) }), {
    q: 'String must contain at most 200 character(s)',
  })
  // One character of it has 18 in its compatible form.
  for (const character of ['a', '😀', '\ufdfa', '\u0301', '%', '+'])
    assert.deepEqual(await namesOf(character.repeat(200)), [], character)
  for (const character of ['a', '😀', '\u0301', '%', '0', '@'])
    assert.deepEqual(await emailsOf(character.repeat(254 / character.length)), [], character)
})

test('reads no character as a wildcard', async () => {
  const emails = ['a%b@example.com', 'a_b@example.com', 'axb@example.com']
  for (const email of emails) await service.admin.createUser({ tenantId }, { email })
  for (const email of emails) assert.deepEqual(await emailsOf(email.slice(0, 3)), [email])
  for (const q of [
    '%',
    '_',
    '\\',
    'a\\%',
    'a\\_',
    '%b',
    '*',
    'a*',
    'a?b',
    '[a-z]',
    'a\tb',
    'a\u0001',
    'a\u007f',
    'a😀',
    'á',
  ])
    assert.deepEqual(await emailsOf(q), [], JSON.stringify(q))
  const names = ['50% off', '50_ off', '50\\ off', '50x off']
  for (const name of names) await service.admin.createTenant({ name })
  for (const name of names) assert.deepEqual(await namesOf(name.slice(0, 3)), [name])
  for (const q of ['%', '_', '\\', '50\\%', '5?', '50\u0001', '50\u007f', '50\u{10ffff}'])
    assert.deepEqual(await namesOf(q), [], JSON.stringify(q))
})

test('finds tenants in any spelling of their name', async () => {
  const spellings: [name: string, ...searched: string[]][] = [
    ['Straßenbahn', 'STRASSE', 'strasse', 'straße', 'Straß'],
    ['ΟΔΟΣ ΑΘΗΝΩΝ', 'οδος', 'ΟΔΟΣ', 'οδοσ', 'οδος αθηνων'],
    ['Ῥοδος', 'ῥΟΔΟΣ'],
    ['İzmir', 'i̇z', 'İZ'],
    ['Cafe\u0301 Zoe\u0308', 'CAFÉ', 'café\u00a0zoë', 'cafe\u0301'],
    ['Ｆｕｌｌ　Ｗｉｄｔｈ', 'full w', 'FULL  W', 'full\tw'],
    ['😀 Smile', '😀', '😀 s'],
    ['👩‍👩‍👧 Family', '👩', '👩‍👩', '👩‍👩‍👧 FAM'],
    ['𝒜cme', 'acm', '𝒜'],
  ]
  for (const [name] of spellings) await service.admin.createTenant({ name })
  for (const [name, ...searched] of spellings)
    for (const q of [name, ` ${name}\n`, ...searched]) assert.deepEqual(await namesOf(q), [name], q)
  for (const q of ['cafe zoe', 'ız', '😁', '\ud83d\ude01']) assert.deepEqual(await namesOf(q), [], q)
})

test('finds a number however it is written', async () => {
  for (const phone of ['+33612345678', '+442071838750']) await service.admin.createUser({ tenantId }, { phone })
  const written = [
    '+33 6 12',
    '+33\u00a06\u202f12',
    ' \t+33-6-12',
    '+33 (0)6.12',
    '\u202a+33 6 12\u202c',
    '＋３３６',
    '+336–12',
  ]
  for (const q of written) assert.deepEqual(await emailsOf(q), ['+33612345678'], JSON.stringify(q))
  assert.deepEqual(await emailsOf('+44 (0)20 7183'), ['+442071838750'])
  assert.deepEqual(await emailsOf('+'), ['+33612345678', '+442071838750'])
  assert.deepEqual(await emailsOf('+1'), [])
  // Without a plus it is the beginning of an address.
  assert.deepEqual(await emailsOf('33 6 12'), [])
  for (const q of ['+33x', '+%', '+٣٣', '+33\u0001'])
    await invalid(service.admin.listUsers({ tenantId }, { q }), { q: 'Validation rule not met' })
})

test('pages through a search in either order, with each tenant once', async () => {
  const made: string[] = []
  for (let index = 0; index < 7; index++) {
    service.clock.advance(1)
    made.push((await service.admin.createTenant({ name: `Paged ${index}` })).id)
  }
  for (const order of ['oldest', 'newest'] as const) {
    for (const q of ['PAGED', made[0]!.slice(0, 9), undefined]) {
      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await service.admin.listTenants({ order, limit: 2, ...(q && { q }), ...(cursor && { cursor }) })
        found.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      }
      assert.equal(new Set(found).size, found.length)
      const inOrder = order === 'oldest' ? made : made.toReversed()
      assert.deepEqual(
        found.filter((id) => made.includes(id)),
        inOrder,
        `${order} ${q}`,
      )
      assert.deepEqual(found, order === 'oldest' ? found.toSorted() : found.toSorted().reverse())
    }
  }
})
