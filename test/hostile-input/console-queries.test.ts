import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
let tenantId: string
before(async () => {
  target = await startTarget()
  tenantId = target.tenant.tenantId
})
after(() => target[Symbol.asyncDispose]())

const ask = (path: string, query: string) =>
  send(target.service.baseUrl, {
    path: `${path}?${query}`,
    headers: [['authorization', `Bearer ${target.service.adminKey}`]],
  })
const users = () => `/admin/tenants/${tenantId}/users`
const itemsOf = async (path: string, query: string) =>
  (assertSuccess(await ask(path, query), 200)['items'] as { id: string; email?: string; name?: string }[]) ?? []

/** Texts with a meaning in SQL, in LIKE, in ranges of texts or in regular expressions. */
const patterns = [
  '%',
  '_',
  '*',
  '.*',
  '[a-z]',
  '\\',
  "'",
  '"',
  "' OR '1'='1",
  '$1',
  '?',
  ';--',
  '\u{10ffff}',
  '\uffff',
  '|',
]

test('searches treat metacharacters as what they are (threat A12)', async () => {
  await target.service.admin.createUser({ tenantId }, { email: 'a_b%c@example.com' })
  await target.service.admin.createTenant({ name: "50%_off' [shop]" })
  // Lists of tenants write the counts of this process first.
  await itemsOf('/admin/tenants', '')
  await target.unchanged(async () => {
    for (const text of patterns) {
      const q = `q=${encodeURIComponent(text)}`
      for (const path of [users(), '/admin/tenants']) assert.deepEqual(await itemsOf(path, q), [], `${path} ${text}`)
      const behind = `q=${encodeURIComponent(`victim${text}`)}`
      assert.deepEqual(await itemsOf(users(), behind), [], text)
    }
    assert.deepEqual(
      (await itemsOf(users(), 'q=a_b%25')).map(({ email }) => email),
      ['a_b%c@example.com'],
    )
    assert.deepEqual(await itemsOf(users(), 'q=a%25b'), [])
    for (const text of ['50%', "50%_OFF'", "50%_off' ["]) {
      const found = await itemsOf('/admin/tenants', `q=${encodeURIComponent(text)}`)
      assert.deepEqual(
        found.map(({ name }) => name),
        ["50%_off' [shop]"],
        text,
      )
    }
    assert.deepEqual(await itemsOf('/admin/tenants', 'q=50_'), [])
  })
})

test('searches and statistics refuse invalid texts, numbers and zones, and repetitions (threat A13)', async () => {
  const statistics = ['/admin/statistics', `/admin/tenants/${tenantId}/statistics`]
  const rule = 'Validation rule not met'
  await target.unchanged(async () => {
    for (const days of ['0', '91', '-1', '1.5', '1e1', '007', '%205', '%D9%A3', 'NaN', '0x10', '9'.repeat(400)])
      for (const path of statistics) assertRefusal(await ask(path, `days=${days}`), 'VALIDATION_ERROR', { days: rule })
    for (const zone of [
      'Europe',
      '..%2FUTC',
      'Europe/Berlin%00',
      'x',
      '%2F',
      '__proto__',
      'constructor',
      'Europe/Berlin;',
    ]) {
      for (const path of statistics) {
        const { text, status } = await ask(path, `timezone=${zone}`)
        assert.equal(status, 400, zone)
        assert.deepEqual(Object.keys(JSON.parse(text).error.validation), ['timezone'])
      }
    }
    for (const path of [users(), '/admin/tenants']) {
      for (const q of ['%00', 'a%00', '%00a'])
        assertRefusal(await ask(path, `q=${q}`), 'VALIDATION_ERROR', { q: 'Invalid string' })
      for (const [query, field] of [
        ['q=a&q=b', 'q'],
        ['order=newest&order=oldest', 'order'],
        ['order=NEWEST', 'order'],
        ['order=id;', 'order'],
        ['q[]=a', 'q[]'],
        ['q[$gt]=', 'q[$gt]'],
        ['cursor=%00', 'cursor'],
        ['cursor=x', 'cursor'],
        ['cursor=__proto__', 'cursor'],
        ['limit=1e1', 'limit'],
        ['limit=-1', 'limit'],
      ] as const) {
        const { status, text } = await ask(path, query)
        assert.equal(status, 400, `${path}?${query}: ${text}`)
        assert.ok(field in JSON.parse(text).error.validation, `${path}?${query}: ${text}`)
      }
    }
    for (const state of ['SUSPENDED', 'any', "guest' OR 1=1", 'toString'])
      assertRefusal(await ask(users(), `state=${encodeURIComponent(state)}`), 'VALIDATION_ERROR', {
        state: 'Invalid enum value',
      })
  })
})

test('a cursor of one tenant shows no user of another, whatever it says', async () => {
  const { service } = target
  const other = await service.addTenant()
  for (const name of ['aa', 'ab', 'ac'])
    await service.admin.createUser({ tenantId: other.tenantId }, { email: `${name}@example.com` })
  const foreign = `/admin/tenants/${other.tenantId}/users`
  for (const query of ['limit=1', 'q=a&limit=1', 'order=newest&limit=1', 'state=unverified&limit=1']) {
    const { nextCursor } = assertSuccess(await ask(foreign, query), 200) as { nextCursor: string }
    const { text, status } = await ask(users(), `${query}&cursor=${encodeURIComponent(nextCursor)}`)
    assert.ok(status === 200 || status === 400, text)
    assert.doesNotMatch(text, /a[abc]@example\.com/)
  }
})
