import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openConsole } from '../support/browser/console.ts'
import { ofBackground } from '../support/databases/background-statements.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'

type Header = readonly [name: string, value: string]

const ended: Header = ['cookie', `__Host-tenantry-operator=${'a'.repeat(43)}`]
const marked: Header = ['x-tenantry-console', '1']
const site = (value: string): Header => ['sec-fetch-site', value]
const origin = (value: string): Header => ['origin', value]

let service: TestService
let cookie: Header
before(async () => {
  service = await startTestService({ publicUrl: 'https://accounts.example/api' })
  cookie = await openConsole(service.baseUrl, testAdminKey)
})
after(() => service.close())

const read = (headers: readonly Header[], host = 'tenantry.test'): Promise<WireAnswer> =>
  send(service.baseUrl, { path: '/admin/tenants', headers: [['host', host], ...headers], bare: true })

const change = (headers: readonly Header[], host = 'tenantry.test'): Promise<WireAnswer> =>
  send(service.baseUrl, {
    ...{ method: 'POST', path: '/admin/tenants', bare: true, body: '{"name":"Acme"}' },
    headers: [['host', host], ['content-type', 'application/json'], ['content-length', '15'], ...headers],
  })

describe('a GET with the cookie', () => {
  test('is admitted from pages of this server, from the address bar, and without either header (CONSOLE-4)', async () => {
    const ours = [origin('https://accounts.example'), origin('https://tenantry.test')]
    for (const headers of [[], [site('same-origin')], [site('none')], ...ours.map((each) => [each])])
      assert.equal((await read([cookie, ...headers])).status, 200, `${headers}`)
  })

  test('is refused from other pages, whatever the session is (CONSOLE-3, threat K04)', async () => {
    const foreign = [
      ...['same-site', 'cross-site', 'Same-Origin', '', 'same-origin, same-origin'].map(site),
      ...['https://accounts.example.evil', 'http://accounts.example', 'https://accounts.example:8443'].map(origin),
      ...['null', '', 'https://accounts.example/', 'https://tenantry.test.', 'http://tenantry.test'].map(origin),
    ]
    for (const header of foreign) {
      for (const each of [cookie, ended]) assertRefusal(await read([each, header]), 'FOREIGN_ORIGIN')
      assertRefusal(await read([header]), 'MISSING_ADMIN_KEY')
    }
    // The browser's own word counts, not the origin.
    assertRefusal(await read([cookie, site('cross-site'), origin('https://accounts.example')]), 'FOREIGN_ORIGIN')
  })
})

describe('a change with the cookie', () => {
  test('needs a page of this server and the header (CONSOLE-3, threat K04)', async () => {
    const admitted = [
      [site('same-origin'), marked],
      [origin('https://accounts.example'), marked],
      [origin('https://tenantry.test'), marked],
    ]
    for (const headers of admitted) assert.equal((await change([cookie, ...headers])).status, 201, `${headers}`)
    const refused: Header[][] = [
      [],
      [marked],
      [site('same-origin')],
      [site('none'), marked],
      [site('same-site'), marked],
      [site('cross-site'), marked, origin('https://accounts.example')],
      [origin('https://accounts.example')],
      [origin('https://evil.example'), marked],
      [origin('null'), marked],
      ...['0', '', 'true', '1, 1'].map((value): Header[] => [site('same-origin'), ['x-tenantry-console', value]]),
      [site('same-origin'), marked, marked],
    ]
    for (const headers of refused)
      for (const each of [cookie, ended]) assertRefusal(await change([each, ...headers]), 'FOREIGN_ORIGIN')
  })

  test('takes the host that the request names as its own: https, and http on this machine (CONSOLE-5)', async () => {
    const cases: [string, string, boolean][] = [
      ['https://console.example', 'console.example', true],
      ['https://console.example:8443', 'console.example:8443', true],
      ['https://console.example:8443', 'console.example', false],
      ['http://console.example', 'console.example', false],
      ['http://127.0.0.1:4000', '127.0.0.1:4000', true],
      ['http://localhost:4000', 'localhost:4000', true],
      ['http://[::1]:4000', '[::1]:4000', true],
      ['http://localhost:4000', '127.0.0.1:4000', false],
      ['http://localhost.evil.example', 'localhost.evil.example', false],
      ['http://127.0.0.1.evil.example', '127.0.0.1.evil.example', false],
    ]
    for (const [from, host, isOwn] of cases) {
      const answer = await change([cookie, origin(from), marked], host)
      if (isOwn) assert.equal(answer.status, 201, from)
      else assertRefusal(answer, 'FOREIGN_ORIGIN')
    }
  })
})

test('with both, Authorization counts and the cookie is not read (CONSOLE-3)', async () => {
  const right: Header = ['authorization', `Bearer ${testAdminKey}`]
  for (const each of [cookie, ended]) assert.equal((await change([each, right, site('cross-site')])).status, 201)
  for (const wrong of ['Bearer x', 'Basic x', ''])
    assertRefusal(await read([cookie, site('same-origin'), ['authorization', wrong]]), 'INVALID_ADMIN_KEY')
})

test('refuses malformed, repeated and unknown cookies alike, without a read for malformed ones (CONSOLE-9)', async () => {
  const statements: string[] = []
  await using watched = await startTestService({
    hooks: { onStatement: (name) => ofBackground.test(name) || statements.push(name) },
  })
  const [, pair] = await openConsole(watched.baseUrl, testAdminKey)
  const [name, token = ''] = pair.split('=')
  const ask = (path: string, ...values: string[]) =>
    send(watched.baseUrl, { path, headers: values.map((value) => ['cookie', value] as const) })
  statements.length = 0
  const malformed = [
    ...[[`${name}=`], [`${name}`], [`${name}="${token}"`], [`${name}=${token}x`], [`${name}=${token.slice(1)}`]],
    ...[[`${name}=${token}=`], [`${name}=%61${token.slice(1)}`], [`${name}=${'a'.repeat(8_000)}`]],
    ...[[`${pair}; ${pair}`], [pair, pair], [`${name}=x; ${pair}`], [`${pair};${name}=`]],
    ...[[`${name}=\u00e9${token.slice(1)}`], [`${name}=${token}\u00a0`], [`${name}=${token}, ${token}`]],
    ...[[`${name}=${token}\t${token}`], [`${name}='${token}'`], [`${name}=${'\u00ff'.repeat(43)}`]],
  ]
  for (const values of malformed) {
    assertRefusal(await ask('/admin/tenants', ...values), 'INVALID_ADMIN_KEY')
    const session = await ask('/admin/session', ...values)
    assert.deepEqual(JSON.parse(session.text).data, { operator: null, expiresAt: null })
  }
  assert.deepEqual(statements, [])
  // Too large, or with a NUL: refused before any header is read.
  for (const [value, code] of [
    [`${name}=${'a'.repeat(20_000)}`, 'HEADERS_TOO_LARGE'],
    [`${name}=\0${token.slice(1)}`, 'BAD_REQUEST'],
  ] as const)
    assert.equal(JSON.parse((await ask('/admin/tenants', value)).text).error.code, code)
  assert.deepEqual(statements, [])
  const others = [`${name!.toLowerCase()}=${token}`, `x${pair}`, `tenantry-operator=${token}`, ';;;', '=', '']
  for (const value of others) assertRefusal(await ask('/admin/tenants', value), 'MISSING_ADMIN_KEY')
  for (const value of [pair, ` a=b ;  ${pair} ; c`, `a="${pair}"; ${pair}`])
    assert.equal((await ask('/admin/tenants', value)).status, 200, value)
})

test('never answers 401 for the session itself (CONSOLE-10)', async () => {
  for (const headers of [[], [ended]]) {
    const answer = await send(service.baseUrl, { path: '/admin/session', headers })
    assert.deepEqual([answer.status, JSON.parse(answer.text).data], [200, { operator: null, expiresAt: null }])
    assert.equal(answer.headers['set-cookie'], undefined)
  }
  assertRefusal(
    await send(service.baseUrl, { path: '/admin/session', headers: [cookie, site('same-site')] }),
    'FOREIGN_ORIGIN',
  )
})

test('the cookie opens nothing but the operations of operators', async () => {
  for (const path of ['/tenant-configuration', '/account'])
    assertRefusal(await send(service.baseUrl, { path, headers: [cookie] }), 'MISSING_TENANT_KEY')
  assert.equal((await send(service.baseUrl, { path: '/metrics', headers: [cookie] })).status, 200)
})
