import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { testAdminKey } from '../support/service.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

function publish(schema: unknown): Promise<WireAnswer> {
  return send(target.service.baseUrl, {
    method: 'PUT',
    path: `/admin/tenants/${target.tenant.tenantId}/profile-schema`,
    headers: [
      ['authorization', `Bearer ${testAdminKey}`],
      ['content-type', 'application/json'],
    ],
    body: typeof schema === 'string' ? schema : JSON.stringify(schema),
  })
}

/** Asserts that the schema is rejected with a message for this path only, and returns the message. */
async function refusedAt(path: string, schema: unknown): Promise<string> {
  let message: unknown
  await target.unchanged(async () => {
    const answer = await publish(schema)
    const { error } = answer.json() as { error: { validation: Record<string, string> } }
    assertRefusal(answer, 'VALIDATION_ERROR', error.validation)
    assert.deepEqual(Object.keys(error.validation), [path], answer.text)
    message = error.validation[path]
  })
  return String(message)
}

const schemaWith = (field: object) => ({ version: 'v2', components: [field] })

test('rejects a field name reserved by the profile or JavaScript (threat A06)', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'id', 'createdAt', 'updatedAt', 'tenantId', 'userId']) {
    const message = await refusedAt('components.0.name', schemaWith({ name, type: 'text' }))
    assert.match(message, /reserved/)
  }
  for (const name of ['', 'Name', '1st', 'a b', 'a.b', 'a\0', 'é', 'x'.repeat(65), 7, null, ['a'], { a: 1 }]) {
    await refusedAt('components.0.name', schemaWith({ name, type: 'text' }))
  }
})

test('accepts field names that every JavaScript object inherits (threat A06)', async () => {
  const names = ['toString', 'valueOf', 'hasOwnProperty', 'then']
  assertSuccess(await publish({ version: 'inherited', components: names.map((name) => ({ name, type: 'text' })) }), 200)
  const empty = assertSuccess(await target.send('updateProfile', { body: '{}' }), 200)
  for (const name of names) assert.equal(empty[name], null)
  const filled = assertSuccess(await target.send('updateProfile', { body: '{"toString":"x","then":"y"}' }), 200)
  assert.deepEqual([filled['toString'], filled['then'], filled['valueOf']], ['x', 'y', null])
})

test('rejects __proto__ anywhere in a schema and pollutes no prototype', async () => {
  await target.unchanged(async () => {
    for (const schema of [
      '{"version":"v2","components":[],"__proto__":{"polluted":true}}',
      '{"version":"v2","components":[{"name":"a","type":"text","__proto__":{"polluted":true}}]}',
      '{"version":"v2","components":[{"name":"a","type":"__proto__"}]}',
      '{"version":"v2","components":[{"name":"a","type":"text","rules":{"__proto__":{"polluted":true}}}]}',
      '{"version":"v2","components":[],"forms":{"__proto__":{"fields":["a"]}}}',
    ]) {
      assert.equal((await publish(schema)).status, 400, schema)
    }
  })
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('reports what is wrong in a malformed schema instead of answering 500', async () => {
  const malformed = [
    {},
    { components: null },
    { components: {} },
    { components: 'x' },
    { components: [null] },
    { components: [[]] },
    { components: [7] },
    { components: [], version: 7 },
    { components: [], version: '' },
    { components: [], forms: [] },
    { components: [], presentation: {} },
    { components: [], migrations: {} },
    { components: [], migrations: [null] },
    { components: [], migrations: [{ copy: { from: '__proto__', to: '__proto__' } }] },
    { components: [], migrations: [{ cast: { field: 'constructor', to: '__proto__' } }] },
    { components: [], migrations: [{ split: { from: 'a', separator: '', to: [[]] } }] },
    { components: [], migrations: [{ split: { from: 'a', separator: ' ', to: { length: 1 } } }] },
    { components: [], migrations: [{ join: { from: 'ab', separator: null, to: ['a'] } }] },
    { components: [], migrations: [{ join: { from: Array(1_000).fill('a'), separator: ' ', to: 'a' } }] },
    { components: [{ name: 'a', type: 'text', rules: [] }] },
    { components: [{ name: 'a', type: 'select', options: [{}] }] },
    { components: [{ name: 'a', type: 'text', label: 7 }] },
    { components: [{ name: 'a', type: 'text', writable: 'yes' }] },
  ]
  await target.unchanged(async () => {
    for (const schema of malformed) {
      const answer = await publish(schema)
      const { error } = answer.json() as { error: { validation: Record<string, string> } }
      assertRefusal(answer, 'VALIDATION_ERROR', error.validation)
      assert.ok(Object.keys(error.validation).length > 0)
    }
  })
})

test('rejects patterns with lookaround and back-references (threat E06)', async () => {
  for (const pattern of [
    '(?=a)',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?>a)',
    'a++',
    '(?(1)a|b)',
  ]) {
    await refusedAt('components.a.rules.pattern', schemaWith({ name: 'a', type: 'text', rules: { pattern } }))
  }
})

const hostile: [pattern: string, value: string][] = [
  ['^(a+)+$', `${'a'.repeat(1000)}!`],
  ['^(a|a)*$', `${'a'.repeat(1000)}!`],
  ['^(a|aa)+$', `${'a'.repeat(1000)}!`],
  ['(a*)*b', 'a'.repeat(1024)],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    'a'.repeat(1000),
  ],
  ['[ab]*a[ab]{900}$', 'ab'.repeat(512)],
  ['(.{1,30}){1,30}', 'x'.repeat(1024)],
  ['(.*)*(.*)*(.*)*x', 'y'.repeat(1024)],
  ['^(.*?,){11}P', '1,2,3,4,5,6,7,8,9,10,11,12,13'.repeat(30)],
  ['(x+x+)+y', 'x'.repeat(1024)],
]

test('rejects a hostile pattern or matches it within a few milliseconds (threat E05)', async () => {
  let published = 0
  for (const [index, [pattern, value]] of hostile.entries()) {
    const schema = {
      version: `hostile-${index}`,
      components: [{ name: 'a', type: 'text', rules: { pattern, maxLength: 1024 } }],
    }
    const answer = await publish(schema)
    if (answer.status === 400) continue
    published++
    await target.send('updateProfile', { body: { a: value } })
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const before = process.cpuUsage()
    const verdict = await target.send('updateProfile', { body: { a: value } })
    const { user } = process.cpuUsage(before)
    delay.disable()
    assert.ok([200, 400].includes(verdict.status))
    assert.ok(user / 1000 < 100, `${pattern} cost ${user / 1000} ms`)
    assert.ok(delay.max / 1e6 < 1_000, `${pattern} blocked the event loop for ${delay.max / 1e6} ms`)
  }
  assert.ok(published >= 4, `${published} of ${hostile.length} patterns were published; the test needs at least 4`)
})
