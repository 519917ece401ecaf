import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, test } from 'node:test'
import { operations } from '../../contract/operations.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { testAdminKey } from '../support/service.ts'
import { startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget({ limitsText: 'resend=5/h' })
})
after(() => target[Symbol.asyncDispose]())

const answerTo = (method: string, path: string, headers: [string, string][] = []): Promise<WireAnswer> =>
  send(target.service.baseUrl, { method, path, headers })

const paths = new Set(Object.values(operations).map(({ path }) => path))
/** The path with a value for each parameter. */
const concreteOf = (path: string): string => path.replace(/:\w+/g, 'x')

/**
 * The methods that the contract declares for a path; GET includes HEAD.
 * A literal segment also matches a parameter (`/users/import` is also `/users/:userId`).
 */
function methodsOf(concrete: string): Set<string> {
  const fits = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`).test(concrete)
  const methods = Object.values(operations).flatMap(({ method, path }) => (fits(path) ? [method as string] : []))
  return new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)
}

test('answers 405 with the allowed methods to every other method, without credentials (threat A22)', async () => {
  const tried = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
  for (const concrete of [...paths].map(concreteOf)) {
    const methods = methodsOf(concrete)
    for (const method of tried.filter((one) => !methods.has(one))) {
      const answer = await answerTo(method, concrete)
      assert.equal(answer.status, 405, `${method} ${concrete}`)
      if (method !== 'HEAD') assertRefusal(answer, 'METHOD_NOT_ALLOWED')
      assert.equal(answer.headers['allow'], [...methods].sort().join(', '), concrete)
    }
  }
})

test('answers every HTTP method with 404 on an unknown path and 405 on a known one (threat A22)', async () => {
  for (const method of METHODS.filter((one) => one !== 'CONNECT' && one !== 'HEAD')) {
    assertRefusal(await answerTo(method, '/nothing/here'), 'NOT_FOUND')
    if (method !== 'POST') assertRefusal(await answerTo(method, '/otp/resend'), 'METHOD_NOT_ALLOWED')
  }
})

test('does not echo the request in the answer to TRACE (threat A22)', async () => {
  const answer = await answerTo('TRACE', '/otp/resend', [['x-secret', 'canary-93']])
  assert.doesNotMatch(answer.text + JSON.stringify(answer.headers), /canary-93/)
})

const nearMisses = [
  '/otp/resend/',
  '//otp/resend',
  '/otp//resend',
  '/otp/./resend',
  '/otp/../otp/resend',
  '/OTP/RESEND',
  '/Otp/resend',
  '/otp/resend;a=b',
  '/otp/resend%20',
  '/otp/resend%00',
  '/otp/resend%2f',
  '/otp%2fresend',
  '/otp%2Fresend',
  '/otp/%2e/resend',
  '/otp/resend/%2e%2e/resend',
  '/otp%5cresend',
  '/otp\\resend',
  '/otp/resend.json',
  '/admin/tenants/', // no id
  '/api/otp/resend',
  '/otp/resend/*',
  '/*',
  '*',
  '/otp/%EF%BD%92esend', // full width
]

test('answers 404 to a near miss of a path, without a key check or rate limit (threat A23)', async () => {
  await target.unchanged(async () => {
    for (const path of nearMisses) {
      const answer = await answerTo('POST', path)
      assert.ok(answer.status === 404, `${path}: ${answer.status} ${answer.text}`)
      assertRefusal(answer, 'NOT_FOUND')
      assert.equal(answer.headers['ratelimit'], undefined)
    }
  })
})

test('answers 400 in the envelope to invalid percent-encoding (threat A23)', async () => {
  for (const path of ['/otp/%zz', '/otp/%', '/otp/%c0%af', '/otp/%ff', '/%', '/admin/tenants/%E0%A4%A']) {
    assertRefusal(await answerTo('POST', path), 'BAD_REQUEST')
  }
})

test('applies the same checks and rate limit to every spelling of a path (threat A23)', async () => {
  const spellings = ['/otp/resend?a=b', '/otp/resend?a=%62', '/otp/resend#fragment', 'http://evil.example/otp/resend']
  for (const [index, path] of spellings.entries()) {
    const answer = await answerTo('POST', path)
    assertRefusal(answer, 'MISSING_TENANT_KEY')
    assert.equal(answer.headers['ratelimit']?.split(';')[1], `r=${4 - index}`, path)
  }
  assertRefusal(await answerTo('POST', '/otp/resend'), 'MISSING_TENANT_KEY')
  for (const path of [...spellings, '/otp/resend']) {
    assertRefusal(await answerTo('POST', path, [['x-tenant-key', target.tenant.key]]), 'TOO_MANY_REQUESTS')
  }
})

/** The path with one unreserved character percent-encoded, for each character in turn. */
const encodedSpellings = (path: string): string[] =>
  [...path].flatMap((character, index) => {
    if (character === '/') return []
    const digits = character.charCodeAt(0).toString(16)
    return [digits, digits.toUpperCase()].map((hex) => `${path.slice(0, index)}%${hex}${path.slice(index + 1)}`)
  })

test('answers 404 to a path with an encoded unreserved character, for every method (threat I17)', async () => {
  const preflight: [string, string][] = [
    ['origin', 'https://a.example'],
    ['access-control-request-method', 'POST'],
  ]
  await target.unchanged(async () => {
    for (const path of ['/admin/tenants', '/otp/resend', '/metrics', '/docs', '/healthz', '/.well-known/jwks.json']) {
      for (const spelling of encodedSpellings(path)) {
        for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
          const answer = await answerTo(method, spelling, [...asAdmin, ...preflight])
          assertRefusal(answer, 'NOT_FOUND')
          assert.equal(answer.headers['ratelimit'], undefined)
          assert.equal(answer.headers['allow'], undefined)
        }
      }
    }
  })
})

test('accepts encoded reserved characters in a path parameter, but not unreserved ones (threat I17)', async () => {
  const { tenantId } = target.tenant
  assert.equal((await answerTo('GET', `/admin/tenants/${tenantId}`, asAdmin)).status, 200)
  for (const spelling of encodedSpellings(tenantId).slice(0, 4)) {
    assertRefusal(await answerTo('GET', `/admin/tenants/${spelling}`, asAdmin), 'NOT_FOUND')
    assertRefusal(await answerTo('POST', `/admin/tenants/${spelling}`, asAdmin), 'NOT_FOUND')
  }
  for (const reserved of [...":/?#[]@!$&'()*+,;= "]) {
    const id = `a%${reserved.charCodeAt(0).toString(16)}b`
    assertRefusal(await answerTo('GET', `/admin/tenants/${id}`, asAdmin), 'TENANT_NOT_FOUND')
  }
})

const asAdmin: [string, string][] = [['authorization', `Bearer ${testAdminKey}`]]
const strange = [
  '__proto__',
  'constructor',
  '%00',
  '%20',
  '..%2f..',
  "'%20OR%201=1--",
  '%25',
  '%E2%80%AE',
  '%F0%9F%92%A5',
  'a'.repeat(200),
]

test('treats any text in a path parameter as an unknown id (threat A12) (threat A23)', async () => {
  await target.unchanged(async () => {
    for (const id of strange) {
      assertRefusal(await answerTo('GET', `/admin/tenants/${id}`, asAdmin), 'TENANT_NOT_FOUND')
      assertRefusal(await answerTo('DELETE', `/admin/tenants/${id}`, asAdmin), 'TENANT_NOT_FOUND')
      assertRefusal(
        await answerTo('GET', `/admin/tenants/${target.tenant.tenantId}/users/${id}`, asAdmin),
        'USER_NOT_FOUND',
      )
      assertRefusal(
        await answerTo('DELETE', `/admin/tenants/${target.tenant.tenantId}/keys/${id}`, asAdmin),
        'TENANT_KEY_NOT_FOUND',
      )
    }
    for (const id of strange) {
      const asUser: [string, string][] = [
        ['x-tenant-key', target.tenant.key],
        ['authorization', `Bearer ${target.accessToken}`],
      ]
      assertRefusal(await answerTo('DELETE', `/account/sessions/${id}`, asUser), 'SESSION_NOT_FOUND')
      assertRefusal(await answerTo('DELETE', `/account/identities/${id}`, asUser), 'IDENTITY_NOT_FOUND')
      const sessions = `/admin/tenants/${target.tenant.tenantId}/users/${target.userId}/sessions`
      assertRefusal(await answerTo('DELETE', `${sessions}/${id}`, asAdmin), 'SESSION_NOT_FOUND')
    }
    assertRefusal(await answerTo('GET', `/admin/tenants/${'a'.repeat(201)}`, asAdmin), 'BAD_REQUEST')
  })
})

test('accepts only an email address, a phone number or an id prefix in a user search (threat A12) (threat A25)', async () => {
  const list = (query: string) => answerTo('GET', `/admin/tenants/${target.tenant.tenantId}/users?${query}`, asAdmin)
  const notMet = 'Validation rule not met'
  const wild = ['%25', '_', '%00', '%27%20OR%201%3D1--', '%E2%80%AE', 'a'.repeat(300)]
  for (const text of wild) {
    assertRefusal(await list(`email=${text}`), 'VALIDATION_ERROR', { email: 'Invalid email' })
    assertRefusal(await list(`phone=${text}`), 'VALIDATION_ERROR', { phone: notMet })
    assertRefusal(await list(`id=${text}`), 'VALIDATION_ERROR', { id: notMet })
  }
  for (const query of ['email=unknown@example.com', 'phone=%2B33612345678', 'id=ZZ', `email=${target.email}&id=ZZ`]) {
    assert.deepEqual((assertSuccess(await list(query), 200) as { items?: unknown[] }).items, [], query)
  }
  const found = assertSuccess(await list(`email=${target.email}`), 200) as { items: { id: string }[] }
  assert.deepEqual(
    found.items.map(({ id }) => id),
    [target.userId],
  )
})

test('rejects an invalid or repeated limit or cursor (threat A25)', async () => {
  const list = (query: string) => answerTo('GET', `/admin/tenants?${query}`, asAdmin)
  const notMet = 'Validation rule not met'
  for (const limit of ['0', '-1', '1.5', '1e2', '201', '999', '1000', 'abc', '%00', '٣']) {
    assertRefusal(await list(`limit=${limit}`), 'VALIDATION_ERROR', { limit: notMet })
  }
  for (const cursor of ['x', '%00', "'", 'AAAA', 'a'.repeat(200)]) {
    assertRefusal(await list(`cursor=${cursor}`), 'VALIDATION_ERROR', { cursor: notMet })
  }
  assert.equal((await list(`cursor=${'a'.repeat(201)}`)).status, 400)
  for (const query of ['limit=0&limit=1', 'limit=1&limit=1', 'cursor=a&cursor=b']) {
    assert.equal((await list(query)).status, 400, query)
  }
  for (const [query, status] of [
    ['', 200],
    ['limit=', 400],
  ] as const)
    assert.equal((await list(query)).status, status, query)
})
