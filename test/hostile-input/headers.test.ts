import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { bytesOf, exchange, send } from '../support/http/wire.ts'
import { testAdminKey } from '../support/service.ts'
import { bodyOperations, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const configuration = (headers: [string, string][]) =>
  send(target.service.baseUrl, {
    path: '/tenant-configuration',
    headers: [['x-tenant-key', target.tenant.key], ...headers],
  })

test('ignores headers named __proto__, constructor and similar (threat A07)', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']) {
    assert.equal(
      (
        await configuration([
          [name, 'x'],
          [name, 'y'],
        ])
      ).status,
      200,
      name,
    )
    assertSuccess(await target.send('updateProfile', { headers: [[name, '{"polluted":true}']] }), 200)
  }
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('accepts two hundred headers (threat A07)', async () => {
  const many = Array.from({ length: 200 }, (_, index) => [`x-${index}`, 'y'] as [string, string])
  assert.equal((await configuration(many)).status, 200)
})

test('reads every credential header after hundreds of other headers (threat A07)', async () => {
  const many = Array.from({ length: 900 }, () => ['a', ''] as [string, string])
  const key = ['x-tenant-key', target.tenant.key] as [string, string]
  assert.equal(
    (await send(target.service.baseUrl, { path: '/tenant-configuration', headers: [...many, key] })).status,
    200,
  )
  assertRefusal(await configuration([...many, key]), 'INVALID_TENANT_KEY')
})

test('answers 431 to headers over 16 KiB and closes the connection (threat A07)', async () => {
  for (const headers of [[['x', 'y'.repeat(20_000)]], Array.from({ length: 3000 }, () => ['x-padding', 'y'])] as [
    string,
    string,
  ][][]) {
    const { answers, closed } = await exchange(target.service.baseUrl, bytesOf({ path: '/healthz', headers }))
    assert.equal(answers.length, 1)
    assertRefusal(answers[0]!, 'HEADERS_TOO_LARGE')
    assert.ok(closed)
  }
  const { answers } = await exchange(target.service.baseUrl, bytesOf({ path: `/${'x'.repeat(20_000)}` }))
  assertRefusal(answers[0]!, 'HEADERS_TOO_LARGE')
})

test('rejects a duplicate or missing Host header (threat A21)', async () => {
  await target.unchanged(async () => {
    for (const operation of bodyOperations) {
      assertRefusal(await target.send(operation, { headers: [['Host', 'evil.example']] }), 'BAD_REQUEST')
      const { headers = [], ...request } = target.request(operation)
      const length: [string, string] = ['content-length', String(request.body?.length)]
      assertRefusal(
        await send(target.service.baseUrl, { ...request, headers: [...headers, length], bare: true }),
        'BAD_REQUEST',
      )
    }
  })
})

test('rejects a duplicate tenant key or token, even with equal values (threat A21)', async () => {
  const { tenant, accessToken } = target
  await target.unchanged(async () => {
    for (const second of [tenant.key, 'x', '']) {
      for (const keys of [
        [tenant.key, second],
        [second, tenant.key],
      ]) {
        const headers = keys.map(
          (key, index) => [index === 0 ? 'x-tenant-key' : 'X-Tenant-Key', key] as [string, string],
        )
        assertRefusal(await target.send('resendOtp', { headers }), 'INVALID_TENANT_KEY')
      }
    }
    for (const second of [accessToken, 'x']) {
      const headers = [accessToken, second].map((token) => ['authorization', `Bearer ${token}`] as [string, string])
      assertRefusal(await target.send('updateProfile', { headers }), 'INVALID_USER_TOKEN')
      assertRefusal(await target.send('updateProfile', { headers: headers.toReversed() }), 'INVALID_USER_TOKEN')
    }
    const admin: [string, string] = ['authorization', `Bearer ${testAdminKey}`]
    assertRefusal(await target.send('createTenant', { headers: [admin, admin] }), 'INVALID_ADMIN_KEY')
  })
})

test('rejects a header value that lists two keys (threat A21)', async () => {
  const { key } = target.tenant
  for (const value of [`${key},${key}`, `${key}, x`, `${key} `.repeat(2), `"${key}"`, `Bearer ${key}`]) {
    assertRefusal(await target.send('resendOtp', { headers: [['x-tenant-key', value]] }), 'INVALID_TENANT_KEY')
  }
})

test('ignores credentials in the query, in cookies and in other headers (threat F14)', async () => {
  const { baseUrl } = target.service
  const { key } = target.tenant
  const path = `/tenant-configuration?x-tenant-key=${key}&key=${key}&tenantKey=${key}`
  const headers: [string, string][] = [
    ['cookie', `x-tenant-key=${key}`],
    ['x-api-key', key],
    ['authorization', `Bearer ${key}`],
  ]
  assertRefusal(await send(baseUrl, { path, headers }), 'MISSING_TENANT_KEY')
  const request = target.request('updateProfile', { headers: [['cookie', `access_token=${target.accessToken}`]] })
  const withoutToken = (request.headers ?? []).filter(([name]) => name !== 'authorization')
  const inQuery = `/account/profile?access_token=${target.accessToken}`
  assertRefusal(await send(baseUrl, { ...request, path: inQuery, headers: withoutToken }), 'MISSING_USER_TOKEN')
})

test('ignores X-HTTP-Method-Override, X-Forwarded-* and similar headers (threat A22) (threat C23)', async () => {
  const headers: [string, string][] = [
    ['x-http-method-override', 'DELETE'],
    ['x-http-method', 'DELETE'],
    ['x-method-override', 'PUT'],
    ['x-original-url', '/admin/tenants'],
    ['x-rewrite-url', '/admin/tenants'],
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'javascript'],
    ['forwarded', 'for=127.0.0.1;host=evil.example'],
    ['x-tenant-id', 'another'],
    ['x-user-id', 'another'],
  ]
  const plain = await configuration([])
  const attacked = await configuration(headers)
  assert.deepEqual([attacked.status, attacked.text, attacked.headers['etag']], [200, plain.text, plain.headers['etag']])
  await target.unchanged(async () => {
    const body = { id: 'x', scope: 'reset_password', _method: 'DELETE', tenantId: 'another' }
    assertRefusal(await target.send('resendOtp', { body, headers }), 'OTP_NOT_FOUND')
  })
})

test('ignores an unsupported Expect header and answers 100-continue', async () => {
  for (const expectation of ['100-continue', '200-ok', 'x'.repeat(1000)]) {
    assertSuccess(await target.send('updateProfile', { headers: [['expect', expectation]] }), 200)
  }
})

test('ignores Upgrade to an unsupported protocol', async () => {
  for (const protocol of ['websocket', 'h2c', 'TLS/1.0']) {
    assertSuccess(await target.send('updateProfile', { headers: [['upgrade', protocol]] }), 200)
  }
})

test('parses hostile header values within a few milliseconds', async () => {
  const names = [
    'content-type',
    'content-encoding',
    'authorization',
    'x-tenant-key',
    'accept-language',
    'if-none-match',
  ]
  const others = ['origin', 'x-forwarded-for', 'x-client-ip', 'x-request-id', 'user-agent', 'cookie']
  const fillings = ['a;', 'a,', ' ', '\t', ',', ';', '"', '-', 'a-', '=', ';q=', 'W/', '1.', 'charset=', 'a']
  for (const name of [...names, ...others]) {
    for (const filling of fillings) {
      const prefix = name === 'content-type' ? 'application/json;' : name === 'authorization' ? 'Bearer ' : 'en'
      const value = `${prefix}${filling.repeat(15_000 / filling.length)}!`
      const { user } = process.cpuUsage()
      await target.send('challenge', { headers: [[name, value]] })
      const spent = (process.cpuUsage().user - user) / 1000
      assert.ok(spent < 120, `${name}: ${filling} cost ${spent} ms`)
    }
  }
})
