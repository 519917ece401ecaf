import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { threadMs } from '../support/thread-time.ts'
import { type BodyOperation, bodyOperations, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const invalidJson = { body: 'Invalid JSON' }

async function everyOperationRefuses(body: string | Buffer, validation: Record<string, string>): Promise<void> {
  await target.unchanged(async () => {
    for (const operation of bodyOperations) {
      assertRefusal(await target.send(operation, { body }), 'VALIDATION_ERROR', validation)
    }
  })
}

test('rejects a body that is not JSON and changes nothing (threat A01)', async () => {
  for (const body of [
    '{"id":',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}{"b":2}',
    '{"a":1}]',
    '{"a":01}',
    '{"a":NaN}',
    'undefined',
  ]) {
    await everyOperationRefuses(body, invalidJson)
  }
})

test('rejects comments, control characters in strings and non-JSON whitespace (threat A01)', async () => {
  for (const body of [
    '/**/{}',
    '{"a":"\n"}',
    '{"a":"\t"}',
    '\u00a0{}',
    '\u2028{}',
    '\f{}',
    '{"a":"\\x41"}',
    '{"a":"\\u00zz"}',
    ' ',
  ]) {
    await everyOperationRefuses(body, invalidJson)
  }
})

test('rejects a body that is not an object and reports its type (threat A02)', async () => {
  const types = {
    null: 'null',
    '[]': 'array',
    '"x"': 'string',
    '1': 'number',
    true: 'boolean',
    '[{"id":"x"}]': 'array',
  }
  for (const [body, type] of Object.entries(types)) {
    await everyOperationRefuses(body, { body: `Expected object, received ${type}` })
  }
})

const errorsOfEmptyBody: Partial<Record<BodyOperation, Record<string, string>>> = {
  resendOtp: { id: 'Required', scope: 'Required' },
  challenge: { step: 'Required' },
  issueOtp: { scope: 'Required' },
  verifyOtp: { id: 'Required', scope: 'Required', code: 'Required' },
  getOtpStatus: { id: 'Required', scope: 'Required' },
  signUp: { method: 'Required', email: 'Required', password: 'Required' },
  checkSignUp: { profile: 'Required' },
  signIn: { method: 'Required' },
  refreshSession: { refreshToken: 'Required' },
  changePassword: { password: 'Required' },
  changeEmail: { email: 'Required' },
  changePhone: { phone: 'Required' },
  linkCode: { method: 'Required' },
  createTenant: { name: 'Required' },
  createOperator: { name: 'Required' },
  updateOperator: { body: 'Required' },
  createConsoleSession: { key: 'Required' },
  updateProfile: { body: 'Required' },
  replaceConfiguration: { body: 'Required' },
}

test('validates a POST without a body as {} and requires a body for PATCH and PUT (threat A02)', async () => {
  await target.unchanged(async () => {
    for (const [operation, validation] of Object.entries(errorsOfEmptyBody) as [
      BodyOperation,
      Record<string, string>,
    ][]) {
      assertRefusal(await target.send(operation, { body: '' }), 'VALIDATION_ERROR', validation)
      const isPost = target.request(operation).method === 'POST'
      if (isPost) assertRefusal(await target.send(operation, { body: '{}' }), 'VALIDATION_ERROR', validation)
    }
  })
})

test('rejects nesting deeper than 32 within a few milliseconds (threat A04)', async () => {
  const arrays = `{"x":${'['.repeat(7000)}`
  const objects = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`
  const balanced = `{"x":${'['.repeat(32)}${']'.repeat(32)}}`
  for (const body of [arrays, objects, balanced]) await everyOperationRefuses(body, invalidJson)
  const started = process.cpuUsage()
  for (let round = 0; round < 20; round++) await target.send('updateProfile', { body: arrays })
  const { user, system } = process.cpuUsage(started)
  assert.ok((user + system) / 20_000 < 25, `${(user + system) / 20_000} ms of CPU per request, including the client`)
})

test('accepts 32 levels of nesting and does not count brackets inside strings (threat A04)', async () => {
  const deep = `{"ignored":${'['.repeat(31)}${']'.repeat(31)}}`
  const inString = JSON.stringify({ ignored: `${'[{'.repeat(500)}\\"[[[` })
  for (const body of [deep, inString]) assertSuccess(await target.send('updateProfile', { body }), 200)
})

test('ignores the keys __proto__, constructor and prototype and pollutes no prototype (threat A05)', async () => {
  const polluting = [
    '{"__proto__":{"polluted":true,"nickname":"eve"}}',
    '{"\\u005f_proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"prototype":{"polluted":true},"a":{"__proto__":{"polluted":true}}}',
  ]
  for (const body of polluting) {
    const profile = assertSuccess(await target.send('updateProfile', { body }), 200)
    assert.equal(profile['nickname'], null)
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  }
  await target.unchanged(async () => {
    for (const body of polluting) {
      assertRefusal(await target.send('resendOtp', { body }), 'VALIDATION_ERROR', errorsOfEmptyBody.resendOtp)
      assertRefusal(await target.send('challenge', { body }), 'VALIDATION_ERROR', errorsOfEmptyBody.challenge)
      assertRefusal(await target.send('signUp', { body }), 'VALIDATION_ERROR', errorsOfEmptyBody.signUp)
    }
    const profile =
      '{"method":"password","email":"new@example.com","password":"long enough","profile":{"fullName":7,"__proto__":1}}'
    const validation = { 'profile.fullName': 'Expected string, received number' }
    assertRefusal(await target.send('signUp', { body: profile }), 'VALIDATION_ERROR', validation)
  })
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('parses a body of colliding keys in less than a second of processor time (threat A08)', async () => {
  const keys = Array.from({ length: 8000 }, (_, index) => `"${index * 1024}":0`)
  const body = `{${keys.join(',')}}`.slice(0, 65_000)
  const closed = `${body.slice(0, body.lastIndexOf(','))}}`
  const started = threadMs()
  assertSuccess(await target.send('updateProfile', { body: closed }), 200)
  assert.ok(threadMs() - started < 1000)
  assertRefusal(await target.send('resendOtp', { body: closed }), 'VALIDATION_ERROR', errorsOfEmptyBody.resendOtp)
})

test('validates and uses the last of duplicate keys (threat A09)', async () => {
  const confirm = (...passwords: string[]) =>
    `{"step":"confirm","token":"${target.bodies.confirm['token']}",${passwords.map((text) => `"password":"${text}"`).join(',')}}`
  const tooShort = { password: 'String must contain at least 8 character(s)' }
  await target.unchanged(async () => {
    assertRefusal(
      await target.send('confirm', { body: confirm('long-enough-1', 'short') }),
      'VALIDATION_ERROR',
      tooShort,
    )
  })
  assertSuccess(await target.send('confirm', { body: confirm('short', 'long-enough-0', 'long-enough-1') }), 201)
  const signIn = (password: string) => target.send('signIn', { body: { ...target.bodies.signIn, password } })
  assertRefusal(await signIn('long-enough-0'), 'INVALID_CREDENTIALS')
  assertSuccess(await signIn('long-enough-1'), 201)
})
