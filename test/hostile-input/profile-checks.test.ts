import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { addPerson } from '../support/person.ts'
import { startTestService } from '../support/service.ts'
import { threadMs } from '../support/thread-time.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
  await target.service.admin.publishProfileSchema(target.tenant, schema)
  const other = await (await addPerson(target.service, target.tenant)).client()
  await other.updateProfile({ nickname: 'taken' })
})
after(() => target[Symbol.asyncDispose]())

const schema: ProfileSchemaInput = {
  components: [
    { name: 'nickname', type: 'text', unique: true },
    { name: 'mail', type: 'email', unique: true },
    { name: 'points', type: 'integer' },
    { name: 'tags', type: 'list' },
    { name: 'home', type: 'address' },
    { name: 'level', type: 'text', writable: false },
  ],
}

/** The states that both checks answer for the same fields. */
async function check(fields: object | string): Promise<Record<string, string>> {
  const text = typeof fields === 'string' ? fields : JSON.stringify(fields)
  const [one, other] = [
    assertSuccess(await target.send('checkProfile', { body: text }), 201),
    assertSuccess(await target.send('checkSignUp', { body: `{"profile":${text}}` }), 201),
  ]
  assert.deepEqual(one, other)
  return one['fields'] as Record<string, string>
}

test('answers nothing about __proto__ and pollutes no prototype (threat A05)', async () => {
  await target.unchanged(async () => {
    for (const body of [
      '{"__proto__":{"nickname":"taken","polluted":true}}',
      '{"\\u005f_proto__":{"polluted":true}}',
      '{"__proto__":null}',
    ]) {
      assert.deepEqual(Object.entries(await check(body)), [], body)
    }
    const inherited = '{"constructor":{"prototype":{"polluted":true}},"toString":"x","hasOwnProperty":1}'
    assert.deepEqual(await check(inherited), {
      ...{ constructor: 'ignored', toString: 'ignored', hasOwnProperty: 'ignored' },
    })
    const profile = { profile: 'Required' }
    const body = '{"__proto__":{"profile":{"nickname":"taken"}}}'
    assertRefusal(await target.send('checkSignUp', { body }), 'VALIDATION_ERROR', profile)
  })
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('a value of a wrong type is invalid, whatever its nesting (threat E02)', async () => {
  const deep = JSON.parse(`${'['.repeat(29)}${']'.repeat(29)}`)
  const wrong = [7, true, [], {}, ['taken'], { value: 'taken' }, { toString: 'taken' }, deep]
  await target.unchanged(async () => {
    for (const value of wrong) {
      const states = await check({ nickname: value, mail: value, level: value })
      assert.deepEqual(states, { nickname: 'invalid', mail: 'invalid', level: 'ignored' }, JSON.stringify(value))
    }
    for (const value of ['1', 0.5, '1e400', [1], 2 ** 53])
      assert.deepEqual(await check({ points: value }), { points: 'invalid' })
    assert.deepEqual(await check('{"points":1e400}'), { points: 'invalid' })
    assert.deepEqual(await check({ tags: 'x', home: [deep] }), { tags: 'invalid', home: 'invalid' })
    assert.deepEqual(await check({ tags: [deep], home: { country: deep } }), { tags: 'invalid', home: 'invalid' })
  })
})

test('NUL and lone surrogates are invalid, also in unique fields (threat A13) (threat A14)', async () => {
  await target.unchanged(async () => {
    for (const text of ['\\u0000', 'taken\\u0000', '\\ud800', 'a\\udc00b', '\\udc00\\ud800']) {
      const states = await check(`{"nickname":"${text}","mail":"${text}@example.com","tags":["${text}"]}`)
      assert.deepEqual(states, { nickname: 'invalid', mail: 'invalid', tags: 'invalid' }, text)
    }
  })
})

test('names of fields that are not text of a schema are ignored (threat A26)', async () => {
  for (const name of ['', ' ', '\\u0000', '\\ud800', 'nickname\\u0000', ' nickname', 'NICKNAME', 'nickname.x', 'id']) {
    assert.deepEqual(Object.values(await check(`{"${name}":"taken"}`)), ['ignored'], name)
  }
})

test('answers thousands of fields within a second of processor time (threat A08)', async () => {
  const many = Array.from({ length: 4000 }, (_, index) => `"${index * 1024}":0`)
  const started = threadMs()
  const states = await check(`{${many.join(',')},"nickname":"taken"}`)
  assert.ok(threadMs() - started < 1000)
  assert.equal(Object.values(states).filter((state) => state === 'ignored').length, 4000)
  assert.equal(states['nickname'], 'taken')
})

test('a value that fills the body is judged by the limit of its field (threat E04)', async () => {
  const long = 'x'.repeat(60_000)
  assert.deepEqual(await check({ nickname: long, unknown: '' }), { nickname: 'invalid', unknown: 'ignored' })
  const tags = Array.from({ length: 10_000 }, () => 'a')
  assert.deepEqual(await check({ tags }), { tags: 'invalid' })
})

test('a profile that is not an object is refused', async () => {
  const types = { null: 'null', '[]': 'array', '"x"': 'string', '1': 'number', true: 'boolean' }
  await target.unchanged(async () => {
    for (const [value, type] of Object.entries(types)) {
      const answer = await target.send('checkSignUp', { body: `{"profile":${value}}` })
      assertRefusal(answer, 'VALIDATION_ERROR', { profile: `Expected object, received ${type}` })
    }
  })
})

test('the 61st check of an hour is refused, by user and by address', async () => {
  await using service = await startTestService({ limitsText: '' })
  const tenant = await service.addTenant({ methods: ['password'] })
  const session = await (await addPerson(service, tenant)).signIn()
  const ask = (path: string, body: string, headers: [string, string][]) =>
    send(service.baseUrl, {
      method: 'POST',
      path,
      headers: [['content-type', 'application/json'], ['x-tenant-key', tenant.key], ...headers],
      body,
    })
  const user: [string, string][] = [['authorization', `Bearer ${session.accessToken}`]]
  for (const [path, body, headers] of [
    ['/account/profile/check', '{}', user],
    ['/auth/sign-up/check', '{"profile":{}}', []],
  ] as const) {
    for (let count = 1; count <= 60; count++) {
      assert.equal((await ask(path, body, [...headers])).status, 201, `${path} ${count}`)
    }
    const refused = await ask(path, body, [...headers])
    assertRefusal(refused, 'TOO_MANY_REQUESTS')
    assert.ok(Number(refused.headers['retry-after']) > 3500)
  }
})
