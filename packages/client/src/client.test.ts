import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { listenOnLoopback } from '../../../test/support/loopback.ts'
import { createTenantryAdmin } from './admin.ts'
import { call } from './call.ts'
import {
  createTenantryClient,
  TenantryAnswerError,
  type TenantryClientOptions,
  TenantryConnectionError,
  TenantryError,
  TenantryTimeoutError,
} from './index.ts'
import type { Route } from './route.ts'

interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

const meta = { requestId: '01JGFJJZ00E9V4R8ZK3QWX5T7N', timestamp: '2026-01-31T12:00:00.000Z' }
const otpId = '01JGFJJZ00E9V4R8ZK3QWX5T7P'

let received: Received[] = []
let play: (response: ServerResponse) => void
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  received.push({ method: request.method!, url: request.url!, headers: request.headers, body })
  play(response)
})
let origin: string

before(async () => {
  const port = await listenOnLoopback(server)
  origin = `http://127.0.0.1:${port}`
})
after(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  received = []
  play = json(201, { meta, data: { success: true } })
})

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body))
  }

const client = (options: Partial<TenantryClientOptions> = {}) =>
  createTenantryClient({ baseUrl: origin, tenantKey: 'tk_pub_key', ...options })

const admin = () => createTenantryAdmin({ baseUrl: origin, adminKey: 'admin-key' })

const rejection = <E extends Error>(promise: Promise<unknown>, type: new (...args: never[]) => E): Promise<E> =>
  promise.then(
    () => assert.fail('it resolved'),
    (error) => {
      assert.ok(error instanceof type, `${error}`)
      return error
    },
  )

describe('a call', () => {
  test('sends the body with the tenant key and resolves with the data', async () => {
    const signedIn = client({ accessToken: 'for operations that want it' })
    assert.deepEqual(await signedIn.resendOtp({ id: otpId, scope: 'reset_password' }), { success: true })
    const [{ method, url, headers, body }] = received as [Received]
    assert.deepEqual([method, url, headers['x-tenant-key']], ['POST', '/otp/resend', 'tk_pub_key'])
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers.authorization, undefined)
    assert.deepEqual(JSON.parse(body), { id: otpId, scope: 'reset_password' })
  })

  test('returns the result of the given reset step, also in types', async () => {
    const issued = { id: otpId, createdAt: meta.timestamp, expiresAt: meta.timestamp, resendIntervalSeconds: 60 }
    play = json(201, { meta, data: issued })
    const challenge = await client().resetPassword({ step: 'challenge', email: 'ada@example.com' })
    assert.equal(challenge.id, otpId)
    play = json(201, { meta, data: { success: true } })
    const confirmed = await client().resetPassword({ step: 'confirm', token: challenge.id, password: 'correct horse' })
    assert.equal(confirmed.success, true)
    // @ts-expect-error a confirm step has no e-mail address
    await client().resetPassword({ step: 'confirm', email: 'ada@example.com' })
  })

  test('sends the query and resolves with a body without envelope', async () => {
    play = json(200, { auth: { methods: ['password'] }, otp: { length: 6 }, meta: 'a module of the tenant' })
    const configuration = await client().getTenantConfiguration({ schemaVersion: 'a&b' })
    assert.equal(configuration.otp.length, 6)
    await client().getTenantConfiguration()
    assert.deepEqual(
      received.map(({ url }) => url),
      ['/tenant-configuration?schemaVersion=a%26b', '/tenant-configuration'],
    )
    assert.equal(received[0]!.headers['content-type'], undefined)
  })

  test('sends a body and a query, in this order of arguments', async () => {
    const route: Route = { method: 'PATCH', path: '/forms/:form', auth: 'tenant', takes: 'body, query' }
    await call({ baseUrl: origin }, route, [{ form: 'f' }, { a: 1 }, { step: 's' }, { requestId: 'r' }])
    await call({ baseUrl: origin }, route, [{ form: 'f' }, { a: 1 }])
    assert.deepEqual(
      received.map(({ url, body, headers }) => [url, body, headers['x-request-id']]),
      [
        ['/forms/f?step=s', '{"a":1}', 'r'],
        ['/forms/f', '{"a":1}', undefined],
      ],
    )
  })

  test('resolves with undefined for 204', async () => {
    play = (response) => response.writeHead(204).end()
    assert.equal(await admin().deleteTenant({ tenantId: 't1' }), undefined)
    assert.deepEqual([received[0]!.method, received[0]!.body], ['DELETE', ''])
  })

  test('leaves the authentication to the given fetch without an admin key', async () => {
    play = json(200, { meta, data: { tenants: [], nextCursor: null } })
    const withCookie: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('cookie', '__Host-console=token')
      return fetch(url, { ...init, headers })
    }
    await createTenantryAdmin({ baseUrl: origin, fetch: withCookie }).listTenants()
    const [{ headers }] = received as [Received]
    assert.deepEqual([headers.authorization, headers.cookie], [undefined, '__Host-console=token'])
  })

  test('takes path parameters first, encodes them, and sends only the admin key', async () => {
    play = json(200, { meta, data: {} })
    await admin().updateUser({ tenantId: 'a/b', userId: 'ü?' }, { restrictedCapabilities: ['sign_in'] })
    const [{ url, headers }] = received as [Received]
    assert.equal(url, '/admin/tenants/a%2Fb/users/%C3%BC%3F')
    assert.deepEqual([headers.authorization, headers['x-tenant-key']], ['Bearer admin-key', undefined])
  })

  test('types a body by its method', async () => {
    await client().signIn({ method: 'google', idToken: 'an ID token', nonce: 'a nonce' })
    await client({ accessToken: 'token' }).addIdentity({ method: 'otp', token: otpId })
    // @ts-expect-error a code is referenced by its id
    await client().signIn({ method: 'otp', idToken: 'an ID token' })
    // @ts-expect-error guest is not a method to link
    await client().addIdentity({ method: 'guest' })
    assert.deepEqual(
      received.map(({ url, body, headers }) => [url, JSON.parse(body).method, headers.authorization]),
      [
        ['/auth/sign-in', 'google', undefined],
        ['/account/identities', 'otp', 'Bearer token'],
        ['/auth/sign-in', 'otp', undefined],
        ['/account/identities', 'guest', undefined],
      ],
    )
  })

  test('ends a session by its id with the user’s token', async () => {
    play = (response) => response.writeHead(204).end()
    await client({ accessToken: 'token' }).endSession({ sessionId: 'a/b' })
    const [{ method, url, headers }] = received as [Received]
    assert.deepEqual([method, url, headers.authorization], ['DELETE', '/account/sessions/a%2Fb', 'Bearer token'])
    assert.equal(headers['x-tenant-key'], 'tk_pub_key')
  })

  test('rejects path parameters that a URL would drop, without a request', async () => {
    for (const tenantId of ['..', '.', '']) {
      await assert.rejects(admin().deleteUser({ tenantId: 't', userId: tenantId }), TypeError)
    }
    assert.equal(received.length, 0)
  })

  test('sends no credentials to operations that require none', async () => {
    play = json(200, { status: 'ok' })
    assert.deepEqual(await client({ accessToken: 'token' }).getLiveness(), { status: 'ok' })
    assert.deepEqual([received[0]!.headers.authorization, received[0]!.headers['x-tenant-key']], [undefined, undefined])
  })

  test('gets the access token for each call, which can override or omit it', async () => {
    let asked = 0
    const signedIn = client({ accessToken: async () => `token-${++asked}` })
    await signedIn.updateProfile({ firstName: 'Ada' })
    await signedIn.updateProfile({ firstName: 'Ada' })
    await signedIn.updateProfile({ firstName: 'Ada' }, { accessToken: 'own' })
    await signedIn.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' }, { accessToken: null })
    await client().withSession('session').getProfile()
    assert.deepEqual(
      received.map(({ headers }) => headers.authorization),
      ['Bearer token-1', 'Bearer token-2', 'Bearer own', undefined, 'Bearer session'],
    )
  })

  test('sends request id, idempotency key, locale, address of the end user and additional headers', async () => {
    const backEnd = client({ clientIp: '203.0.113.7', locale: 'fr' })
    await backEnd.verifyOtp(
      { id: otpId, scope: 'otp_signin', code: '123456' },
      { requestId: 'r-1', idempotencyKey: 'once', headers: { 'x-extra': '1' } },
    )
    const { headers } = received[0]!
    assert.deepEqual(
      [headers['x-client-ip'], headers['accept-language'], headers['x-request-id'], headers['x-extra']],
      ['203.0.113.7', 'fr', 'r-1', '1'],
    )
    assert.equal(headers['idempotency-key'], 'once')
  })

  test('supports a base path with and without trailing slash', async () => {
    await client({ baseUrl: `${origin}/accounts` }).resendOtp({ id: otpId, scope: 'otp_signin' })
    await client({ baseUrl: `${origin}/accounts/` }).resendOtp({ id: otpId, scope: 'otp_signin' })
    assert.deepEqual(
      received.map(({ url }) => url),
      ['/accounts/otp/resend', '/accounts/otp/resend'],
    )
  })

  test('rejects an invalid base URL immediately', () => {
    for (const baseUrl of ['accounts.example.com', 'ftp://a', 'https://a/?b', 'https://u:p@a', '']) {
      assert.throws(() => createTenantryClient({ baseUrl }), TypeError, baseUrl)
    }
    // As from a variable of the build that is not set.
    const baseUrl = undefined as unknown as string
    const message = 'baseUrl must be a URL such as https://accounts.example.com, not undefined'
    assert.throws(() => createTenantryClient({ baseUrl }), { name: 'TypeError', message })
    for (const create of [createTenantryClient, createTenantryAdmin])
      assert.throws(create as () => unknown, { name: 'TypeError', message })
  })

  test('names the option that cannot be sent in a header, and does not repeat it', async () => {
    for (const secret of ['tk_sec_…', 'first-half\nsecond-half']) {
      for (const [option, rejected] of [
        ['tenantKey', client({ tenantKey: secret }).getTenantConfiguration()],
        ['accessToken', client({ accessToken: secret }).getProfile()],
        ['adminKey', createTenantryAdmin({ baseUrl: origin, adminKey: secret }).listTenants()],
        ['clientIp', client({ clientIp: secret }).getTenantConfiguration()],
        ['locale', client({ locale: secret }).getTenantConfiguration()],
        ['requestId', client().getTenantConfiguration({}, { requestId: secret })],
        ['idempotencyKey', client().issueOtp({ scope: 'otp_signin' }, { idempotencyKey: secret })],
        ['ifMatch', client().updateProfile({}, { ifMatch: secret })],
      ] as const) {
        const { message, cause } = await rejection(rejected, TypeError)
        assert.equal(message, `${option} contains line breaks or characters such as …; copy all of it again`)
        assert.equal(cause, undefined)
      }
    }
    assert.deepEqual(received, [])
  })
})

describe('a refusal', () => {
  test('has code, status, fields and request id', async () => {
    const error = {
      message: 'The request is not valid.',
      code: 'VALIDATION_ERROR',
      status: 400,
      validation: { id: 'Required' },
      details: { age: { rule: 'max', max: 9 } },
    }
    play = json(400, { meta, error }, { ratelimit: '"ip";r=27;t=3121' })
    const refusal = await rejection(client().resendOtp({ id: '', scope: 'reset_password' }), TenantryError)
    const { code, status, message, validation, details, requestId, retryAfter, rateLimit } = refusal
    assert.deepEqual({ code, status, message, validation, details }, error)
    assert.equal(requestId, meta.requestId)
    assert.equal(retryAfter, undefined)
    assert.deepEqual(rateLimit, { remaining: 27, resetSeconds: 3121 })
  })

  test('names the option of the client where the service cannot', async () => {
    for (const [code, said] of [
      ['NOT_FOUND', `${origin}/api/account/profile does not exist. Check the path of baseUrl`],
      ['MISSING_TENANT_KEY', 'The tenant key is missing. Set tenantKey of the client'],
    ] as const) {
      play = json(404, { meta, error: { message: 'No.', code, status: 404 } })
      const refusal = await rejection(client({ baseUrl: `${origin}/api` }).getProfile(), TenantryError)
      assert.deepEqual([refusal.code, refusal.message], [code, said])
    }
  })

  test('has the scope that an operator lacks', async () => {
    const error = { message: 'No.', code: 'INSUFFICIENT_SCOPE', status: 403, missing: 'tenants:write' }
    play = json(403, { meta, error })
    const refusal = await rejection(client().resendOtp({ id: '', scope: 'reset_password' }), TenantryError)
    assert.equal(refusal.missing, 'tenants:write')
  })

  test('has Retry-After in seconds, from either format', async () => {
    const body = { meta, error: { message: 'Too many requests.', code: 'TOO_MANY_REQUESTS', status: 429 } }
    play = json(429, body, { 'retry-after': '3121' })
    assert.equal((await rejection(client().getProfile(), TenantryError)).retryAfter, 3121)
    play = json(429, body, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() })
    const { retryAfter } = await rejection(client().getProfile(), TenantryError)
    assert.ok(retryAfter! >= 58 && retryAfter! <= 60, `${retryAfter}`)
  })
})

describe('with a fetch whose response throws when a header is read that the app has not listed, as in SvelteKit', () => {
  const guarded: typeof fetch = async (...args) => {
    const response = await fetch(...args)
    const get = response.headers.get.bind(response.headers)
    response.headers.get = (name) => {
      if (get(name) !== null) throw new Error(`Failed to get response header "${name}"`)
      return null
    }
    return response
  }
  const etag = '"r1"'

  test('resolves, and reads the revision only for onEtag', async () => {
    play = json(200, { meta, data: { id: 'p' } }, { etag })
    assert.deepEqual(await client({ fetch: guarded }).getProfile(), { id: 'p' })
    const rejected = client({ fetch: guarded }).getProfile({ onEtag() {} })
    assert.equal((await rejection(rejected, Error)).message, 'Failed to get response header "etag"')
  })

  test('rejects with the errors of the client and their details', async () => {
    const error = { message: 'No.', code: 'TOO_MANY_REQUESTS', status: 429 }
    play = json(429, { meta, error }, { 'retry-after': '7', ratelimit: '"ip";r=0;t=7' })
    const refusal = await rejection(client({ fetch: guarded }).getProfile(), TenantryError)
    assert.deepEqual([refusal.retryAfter, refusal.rateLimit], [7, { remaining: 0, resetSeconds: 7 }])
    play = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>')
    const { contentType } = await rejection(client({ fetch: guarded }).getProfile(), TenantryAnswerError)
    assert.equal(contentType, 'text/html')
  })
})

test('calls without a signal of their own need no AbortSignal.any', async (t) => {
  const before = Object.getOwnPropertyDescriptor(AbortSignal, 'any')!
  t.after(() => Object.defineProperty(AbortSignal, 'any', before))
  Reflect.deleteProperty(AbortSignal, 'any')
  play = json(200, { meta, data: { id: 'p' } })
  assert.deepEqual(await client().getProfile(), { id: 'p' })
})

describe('without a response of the service', () => {
  const resend = (options: Partial<TenantryClientOptions> = {}, signal?: AbortSignal) =>
    client(options).resendOtp({ id: otpId, scope: 'reset_password' }, { signal })

  test('has status, content type and beginning of an HTML page', async () => {
    play = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
    const error = await rejection(resend(), TenantryAnswerError)
    assert.deepEqual([error.status, error.contentType, error.excerpt], [502, 'text/html', '<h1>Bad Gateway</h1>'])
    assert.match(error.message, /502 and text\/html.*Check baseUrl/)
  })

  test('rejects JSON without an envelope, for any status', async () => {
    for (const [status, body] of [
      [500, { error: 'oops' }],
      [200, { hello: 'world' }],
      [200, null],
      [200, [1]],
      [200, { meta, data: null }],
    ] as const) {
      play = json(status, body)
      assert.equal((await rejection(resend(), TenantryAnswerError)).status, status)
    }
  })

  test('rejects a 204 of a proxy, which only operations with DELETE answer', async () => {
    play = (response) => response.writeHead(204).end()
    const error = await rejection(resend(), TenantryAnswerError)
    assert.match(error.message, /\/otp\/resend responded with 204 and no content type.*any proxy/)
  })

  test('says what to check after a refused connection', async () => {
    const error = await rejection(resend({ baseUrl: await closedOrigin() }), TenantryConnectionError)
    assert.match(error.message, /ECONNREFUSED.*baseUrl/)
    assert.ok(error.cause instanceof TypeError)
    assert.ok(!(error instanceof TenantryTimeoutError))
  })

  test('rejects when the connection breaks in the middle of the body', async () => {
    play = (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('{"meta"', () => response.destroy())
    }
    await rejection(resend(), TenantryConnectionError)
  })

  test('has a separate class for timeouts, with the duration', async () => {
    play = () => {}
    const error = await rejection(resend({ timeoutMs: 30 }), TenantryTimeoutError)
    assert.ok(error instanceof TenantryConnectionError)
    assert.match(error.message, /30 ms/)
  })

  test('rejects a timeout that no timer has, and rounds up fractions', async () => {
    for (const timeoutMs of [-1, Infinity, NaN, 2 ** 31, '30s' as never]) {
      const error = await rejection(resend({ timeoutMs }), TypeError)
      assert.equal(error.message, `timeoutMs must be a number from 0 to 2147483647, not ${timeoutMs}`)
    }
    play = () => {}
    await rejection(resend({ timeoutMs: 0.5 }), TenantryTimeoutError)
  })

  test('rejects with the reason of the caller’s signal', async () => {
    const reason = new Error('the page was left')
    const controller = new AbortController()
    play = () => controller.abort(reason)
    await assert.rejects(resend({}, controller.signal), reason)
  })

  test('does not follow redirects, so that no key reaches their target', async (t) => {
    let reached = false
    const elsewhere = createServer((_request, response) => {
      reached = true
      response.end('{}')
    })
    const port = await listenOnLoopback(elsewhere)
    t.after(() => elsewhere.close().closeAllConnections())
    const location = `http://127.0.0.1:${port}/`
    play = (response) => response.writeHead(307, { location }).end()
    const error = await rejection(resend(), TenantryConnectionError)
    assert.match(error.message, /redirect/)
    assert.equal(reached, false)
  })

  test('names a redirect whose status a browser hides', async () => {
    const hidden = Object.defineProperty(new Response(), 'status', { value: 0 })
    const error = await rejection(resend({ fetch: async () => hidden }), TenantryConnectionError)
    assert.match(error.message, /redirect/)
  })

  test('calls with the fetch of Cloudflare Workers, which refuses to fail at redirects', async () => {
    const workersFetch: typeof fetch = (url, init) => {
      const request = new Request(url, init)
      assert.ok(['follow', 'manual'].includes(request.redirect), `Invalid redirect value ${request.redirect}`)
      return fetch(request)
    }
    assert.deepEqual(await resend({ fetch: workersFetch }), { success: true })
  })

  test('has no key in any message', async () => {
    play = (response) => response.writeHead(502).end('oops')
    const errors = [await rejection(resend(), Error), await rejection(resend({ baseUrl: await closedOrigin() }), Error)]
    for (const { message, stack } of errors) assert.doesNotMatch(`${message}${stack}`, /tk_pub_key/)
  })
})

/** An address without a listener. */
async function closedOrigin(): Promise<string> {
  const gone = createServer()
  const port = await listenOnLoopback(gone)
  await new Promise((resolve) => gone.close(resolve))
  return `http://127.0.0.1:${port}`
}

test('imports only files of the client at run time, what browsers and the service share about profiles, and React for ./react', () => {
  const all = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const files = all.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const shared = /^(?:\.\.\/){3,4}contract\/(?:fields\/|profile-schema-delta\.ts$)/
  for (const file of files) {
    const source = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
    for (const [line, from] of source.matchAll(
      /^(?:import|export) (?!type\b|const\b|function\b|class\b|interface\b|async\b)[^;]*?from '([^']+)'/gm,
    )) {
      if (file.startsWith('react/') && from === 'react') continue
      if (shared.test(from!) && /^(?:index|profile)\.ts$|^(?:profile|react)\//.test(file)) continue
      assert.match(from!, /^\.{1,2}\/(?!.*contract\/)/, `${file}: ${line}`)
    }
    assert.doesNotMatch(source, /\bimport\((?!'\.\/)|\brequire\(/, file)
  }
})
