import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser, serveSite, withoutBrowser } from '../support/browser/browser.ts'
import { withoutFetchMetadata } from '../support/browser/fetch-metadata-proxy.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'

/** What a page sends and what it sees of the answer. */
interface Sent {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}
interface Seen {
  readonly status: number
  readonly code?: string
  readonly data?: { readonly operator?: { readonly id: string } | null }
}

const marked = { 'x-tenantry-console': '1' }

/** Sends a request from a page with the cookies of its target; a failed fetch is its error's name. */
const sendFrom = (page: Page, sent: Sent): Promise<Seen | string> =>
  page.evaluate(async ({ url, method = 'GET', headers = {}, body }) => {
    try {
      const answer = await fetch(url, {
        ...{ method, credentials: 'include' },
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const { data, error } = text === '' ? {} : JSON.parse(text)
      return { status: answer.status, ...(error && { code: error.code }), ...(data && { data }) }
    } catch (error) {
      return (error as Error).name
    }
  }, sent)

describe('a console session in a browser', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  /** The service at `127.0.0.1`, its page `/`, and the requests that reached it. */
  let console: string
  const arrived: { method: string; url: string; cookie: string | undefined; site: string | undefined }[] = []
  before(async () => {
    service = await startTestService()
    console = service.baseUrl
    service.service.http.server.on('request', ({ method = '', url = '', headers }: IncomingMessage) => {
      // The browser asks for an icon by itself.
      if (url.startsWith('/admin'))
        arrived.push({ method, url, cookie: headers.cookie, site: headers['sec-fetch-site'] as string })
    })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  /** A browser at the page of an origin. */
  async function pageAt(origin: string, context: BrowserContext): Promise<Page> {
    const page = await context.newPage()
    await page.goto(origin)
    return page
  }

  /** A browser with a page of the service where the root key is signed in. */
  async function signedIn(t: { after(end: () => Promise<void>): void }) {
    // The page of this server that a test runs scripts in has to allow them.
    const context = await browser.newContext({ bypassCSP: true })
    t.after(() => context.close())
    const page = await pageAt(console, context)
    const answer = await sendFrom(page, { url: '/admin/session', method: 'POST', body: { key: testAdminKey } })
    assert.equal((answer as Seen).status, 201)
    return { context, page }
  }

  test('is kept over http on this machine, hidden from scripts, and survives a reload', async (t) => {
    const { context, page } = await signedIn(t)
    const [cookie] = await context.cookies()
    const { name, httpOnly, secure, sameSite, path, expires } = cookie!
    assert.deepEqual(
      { name, httpOnly, secure, sameSite, path, expires },
      { name: '__Host-tenantry-operator', httpOnly: true, secure: true, sameSite: 'Strict', path: '/', expires: -1 },
    )
    assert.equal(await page.evaluate(() => document.cookie), '')
    await page.reload()
    const session = (await sendFrom(page, { url: '/admin/session' })) as Seen
    assert.equal(session.data?.operator?.id, 'root')
    assert.equal(((await sendFrom(page, { url: '/admin/tenants' })) as Seen).status, 200)
    const opened = await context.newPage()
    assert.equal((await opened.goto(`${console}/admin/tenants`))?.status(), 200)
  })

  test('changes something only with the header (CONSOLE-3)', async (t) => {
    const { page } = await signedIn(t)
    const change = { url: '/admin/tenants', method: 'POST', body: { name: 'Acme' } }
    assert.deepEqual(await sendFrom(page, change), { status: 403, code: 'FOREIGN_ORIGIN' })
    assert.equal(((await sendFrom(page, { ...change, headers: marked })) as Seen).status, 201)
  })

  test('reads the testing channel’s stream with EventSource', async (t) => {
    const { page } = await signedIn(t)
    const opened = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const source = new EventSource('/admin/testing-channel/stream')
          source.onopen = () => resolve('open')
          source.onerror = () => resolve('error')
        }),
    )
    assert.equal(opened, 'open')
  })

  test('ends at sign-out, and the browser drops the cookie', async (t) => {
    const { context, page } = await signedIn(t)
    const signOut = { url: '/admin/session', method: 'DELETE' }
    assert.deepEqual(await sendFrom(page, signOut), { status: 403, code: 'FOREIGN_ORIGIN' })
    assert.deepEqual(await sendFrom(page, { ...signOut, headers: marked }), { status: 204 })
    assert.deepEqual(await context.cookies(), [])
    assert.deepEqual(await sendFrom(page, { url: '/admin/tenants' }), { status: 401, code: 'MISSING_ADMIN_KEY' })
  })

  for (const [relation, hostname] of [
    ['same-site', '127.0.0.1'],
    ['cross-site', 'localhost'],
  ] as const) {
    test(`is useless to a ${relation} page, by fetch, beacon, frame or form (threats K03, K04)`, async (t) => {
      await using site = await serveSite({})
      const { context } = await signedIn(t)
      const page = await pageAt(site.origin.replace('127.0.0.1', hostname), context)
      const admin = `${console}/admin`
      arrived.length = 0

      // The page reads no answer, and what needs a preflight is not sent.
      for (const request of [
        { url: `${admin}/tenants` },
        { url: `${admin}/tenants`, method: 'POST', body: { name: 'Stolen' }, headers: marked },
        { url: `${admin}/session`, method: 'DELETE', headers: marked },
        { url: `${admin}/session`, method: 'POST', body: { key: testAdminKey } },
      ])
        assert.equal(await sendFrom(page, request), 'TypeError')
      // Simple requests are sent without a preflight, and refused.
      await page.evaluate(async (url) => {
        const body = new Blob([JSON.stringify({ name: 'Stolen' })], { type: 'text/plain' })
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body })
        navigator.sendBeacon(url, body)
      }, `${admin}/tenants`)
      const framed = await page.evaluate((url) => {
        const frame = document.createElement('iframe')
        frame.src = url
        document.body.append(frame)
        return new Promise<boolean>((resolve) => {
          frame.onload = () => resolve(true)
        })
      }, `${admin}/tenants`)
      assert.ok(framed)
      await page.evaluate((url) => {
        document.body.innerHTML = `<form method="post" enctype="text/plain" action="${url}"><input name="name"></form>`
        document.forms[0]!.submit()
      }, `${admin}/tenants`)
      await page.waitForURL(`${admin}/tenants`)
      assert.match((await page.textContent('body')) ?? '', /FOREIGN_ORIGIN|MISSING_ADMIN_KEY/)

      assert.ok(arrived.length >= 5)
      for (const { method, url, site: sent, cookie } of arrived) {
        assert.equal(sent, relation, `${method} ${url}`)
        if (relation === 'cross-site') assert.equal(cookie, undefined, `${method} ${url}`)
      }
      const { items } = await service.admin.listTenants()
      assert.ok(!items.some(({ name }) => name === 'Stolen'))
      const own = await pageAt(console, context)
      assert.equal(((await sendFrom(own, { url: '/admin/session' })) as Seen).data?.operator?.id, 'root')
    })
  }

  test('counts for pages of the same origin alone where the browser sends no Sec-Fetch-Site (CONSOLE-3)', async (t) => {
    await using proxy = await withoutFetchMetadata(console)
    await using site = await serveSite({})
    const { context } = await signedIn(t)
    // Cookies know no ports.
    const own = await pageAt(proxy.origin, context)
    const change = { url: `${proxy.origin}/admin/tenants`, method: 'POST', body: { name: 'Through a proxy' } }
    arrived.length = 0
    assert.equal(((await sendFrom(own, { url: '/admin/tenants' })) as Seen).status, 200)
    assert.deepEqual(await sendFrom(own, change), { status: 403, code: 'FOREIGN_ORIGIN' })
    assert.equal(((await sendFrom(own, { ...change, headers: marked })) as Seen).status, 201)
    const other = await pageAt(site.origin, context)
    assert.equal(await sendFrom(other, { ...change, headers: marked }), 'TypeError')
    await other.evaluate((url) => {
      document.body.innerHTML = `<form method="post" enctype="text/plain" action="${url}"><input name="name"></form>`
      document.forms[0]!.submit()
    }, change.url)
    await other.waitForURL(change.url)
    assert.match((await other.textContent('body')) ?? '', /FOREIGN_ORIGIN/)
    const requests = arrived.filter(({ method }) => method !== 'OPTIONS')
    assert.ok(requests.length >= 4)
    for (const { site: sent, cookie } of requests) {
      assert.equal(sent, undefined)
      assert.match(cookie ?? '', /__Host-tenantry-operator=/)
    }
  })

  test('is not sent to another host name of the server (threat K05)', async (t) => {
    const { port } = service.service.http.server.address() as AddressInfo
    const rebound = await launchBrowser([`--host-resolver-rules=MAP evil.example 127.0.0.1`])
    t.after(() => rebound.close())
    const context = await rebound.newContext({ bypassCSP: true })
    const own = await pageAt(console, context)
    const signIn = { url: '/admin/session', method: 'POST', body: { key: testAdminKey } }
    assert.equal(((await sendFrom(own, signIn)) as Seen).status, 201)
    const page = await pageAt(`http://evil.example:${port}`, context)
    assert.deepEqual(await sendFrom(page, { url: '/admin/tenants' }), { status: 401, code: 'MISSING_ADMIN_KEY' })
    // A page over plain http cannot keep the cookie.
    assert.deepEqual(await sendFrom(page, signIn), { status: 403, code: 'FOREIGN_ORIGIN' })
  })
})
