import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type BrowserFixture, startBrowserFixture } from '../support/browser/browser-session.ts'

/** As when the user has blocked site data. */
const blockStorage =
  "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError') } })"

/** Scripts that make the storage of a page fail as browsers do. */
const failures = {
  'reading throws':
    "Storage.prototype.getItem = () => { throw new DOMException('The operation is insecure.', 'SecurityError') }",
  'the quota is exceeded': "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }",
  'even naming localStorage throws': blockStorage,
  'Web Locks are denied too, as in Chromium': `${blockStorage}
    LockManager.prototype.request = async () => { throw new DOMException('The request was denied.', 'SecurityError') }`,
  'channels are denied too, as in Firefox': `${blockStorage}
    window.BroadcastChannel = class { constructor() { throw new DOMException('The operation is insecure.', 'SecurityError') } }`,
}

describe('a session in a browser', { skip: withoutBrowser }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const [name, script] of Object.entries(failures)) {
    test(`works in memory when ${name}, and warns once`, async (t) => {
      const context = await fixture.browser.newContext()
      t.after(() => context.close())
      await context.addInitScript(script)
      const warnings: string[] = []
      context.on('console', (message) => warnings.push(message.text()))
      const tab = await fixture.open(context)
      await tab.signIn()
      for (let time = 0; time < 2; time++) {
        fixture.service.clock.advance(20 * 60_000)
        fixture.proxy.passed.length = 0
        assert.equal(await tab.whoAmI(), fixture.person.userId)
        assert.equal(fixture.proxy.passed.filter(({ line }) => line.endsWith('refresh')).length, 1)
      }
      assert.equal(warnings.filter((text) => /kept in memory/.test(text)).length, 1)
      await tab.signOut()
      assert.deepEqual(await tab.state(), { status: 'signedOut', reason: 'signedOut' })
    })
  }

  test('removes malformed content and is signed out', async (t) => {
    const context = await fixture.browser.newContext()
    t.after(() => context.close())
    const tab = await fixture.open(context)
    await tab.signIn()
    const keys = () => tab.page.evaluate(() => Object.keys(localStorage))
    const [key] = await keys()
    for (const content of ['{', 'null', '{"user":{}}', '\u0000']) {
      await tab.page.evaluate(([name, text]) => localStorage.setItem(name!, text!), [key, content])
      await tab.reload()
      assert.deepEqual([await tab.state(), await keys()], [{ status: 'signedOut', reason: 'none' }, []])
    }
  })

  test('names the item after the public part of the tenant key', async (t) => {
    const context = await fixture.browser.newContext()
    t.after(() => context.close())
    const tab = await fixture.open(context)
    await tab.signIn()
    const [key = ''] = await tab.page.evaluate(() => Object.keys(localStorage))
    assert.match(key, /^tenantry\.tk_pub_\w{26}$/)
    assert.ok(fixture.tenant.key.startsWith(key.slice('tenantry.'.length)))
  })
})
