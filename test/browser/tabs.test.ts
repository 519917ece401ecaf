import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Session } from '../../packages/client/src/index.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type BrowserFixture, startBrowserFixture } from '../support/browser/browser-session.ts'
import { sampleSize } from '../support/runner/sample-size.ts'
import { until } from '../support/until.ts'

const MINUTE = 60_000

/** Shows the page what other tabs store 200 ms late, as browsers with a process per tab may. */
function delayStorage(): void {
  const { getItem, setItem } = Storage.prototype
  const shown = new Map<string, string | null>()
  const noticedAt = new Map<string, number>()
  for (const key of Object.keys(localStorage)) shown.set(key, localStorage.getItem(key))
  Storage.prototype.setItem = function (key, value) {
    shown.set(key, value)
    setItem.call(this, key, value)
  }
  Storage.prototype.getItem = function (key) {
    const stored = getItem.call(this, key)
    if (stored === shown.get(key)) noticedAt.delete(key)
    else if (!noticedAt.has(key)) noticedAt.set(key, performance.now())
    else if (performance.now() - noticedAt.get(key)! > 200) shown.set(key, stored)
    return shown.get(key) ?? null
  }
}

describe('the tabs of a browser', { skip: withoutBrowser }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const refreshes = () => fixture.proxy.passed.filter(({ line }) => line === 'POST /auth/refresh')

  /** Two tabs of a new profile; the first is signed in. */
  async function twoTabs(t: { after(task: () => Promise<void>): void }) {
    const context = await fixture.browser.newContext()
    t.after(() => context.close())
    const [first, second] = [await fixture.open(context), await fixture.open(context)]
    await first.signIn()
    await second.reaches('signedIn')
    fixture.proxy.passed.length = 0
    return { context, first, second }
  }

  test('refresh an expired access token once in many rounds of simultaneous calls', async (t) => {
    const { first, second } = await twoTabs(t)
    const used: string[] = []
    const rounds = sampleSize(50, 5)
    for (let round = 0; round < rounds; round++) {
      fixture.service.clock.advance(20 * MINUTE)
      fixture.proxy.passed.length = 0
      const answers = await Promise.all([first.whoAmI(), second.whoAmI(), first.whoAmI(), second.whoAmI()])
      assert.ok(
        answers.every((id) => id === fixture.person.userId),
        answers.join(),
      )
      assert.equal(refreshes().length, 1, `round ${round}`)
      used.push(...refreshes().map(({ body }) => body))
    }
    assert.equal(new Set(used).size, rounds, 'no refresh token is used twice')
  })

  test('refresh once even if a tab sees a change of localStorage later than the lock', async (t) => {
    const { first, second } = await twoTabs(t)
    for (const { page } of [first, second]) await page.evaluate(delayStorage)
    for (let round = 0; round < 3; round++) {
      fixture.service.clock.advance(20 * MINUTE)
      fixture.proxy.passed.length = 0
      const answers = await Promise.all([first.whoAmI(), second.whoAmI()])
      assert.deepEqual(answers, [fixture.person.userId, fixture.person.userId])
      assert.equal(refreshes().length, 1, `round ${round}`)
    }
  })

  test('share a sign-in and a sign-out, and keep the session when reloaded', async (t) => {
    const { first, second } = await twoTabs(t)
    await first.reload()
    assert.equal(await first.whoAmI(), fixture.person.userId)
    await second.signOut()
    await first.reaches('signedOut')
    assert.equal(await first.whoAmI(), 'MISSING_USER_TOKEN')
    await second.reload()
    assert.deepEqual(await second.state(), { status: 'signedOut', reason: 'none' })
    await second.signIn()
    await first.reaches('signedIn')
    assert.equal(await first.whoAmI(), fixture.person.userId)
  })

  test('learn from storage events when the storage is cleared', async (t) => {
    const { first, second } = await twoTabs(t)
    await first.page.evaluate(() => localStorage.clear())
    await second.reaches('signedOut')
  })

  test('are all signed out as expired when the service detects the reuse of a copied token', async (t) => {
    const { first, second } = await twoTabs(t)
    const copied = await first.page.evaluate(() => JSON.parse(Object.values({ ...localStorage })[0]!).refreshToken)
    fixture.service.clock.advance(20 * MINUTE)
    assert.equal(await first.whoAmI(), fixture.person.userId)
    fixture.service.clock.advance(11_000)
    await assert.rejects(fixture.tenant.client.refreshSession({ refreshToken: copied }), {
      code: 'INVALID_REFRESH_TOKEN',
    })
    assert.equal(await second.whoAmI(), 'INVALID_USER_TOKEN')
    for (const tab of [first, second]) await tab.reaches('expired')
    assert.equal(await first.page.evaluate(() => localStorage.length), 0)
  })

  test('learn why the session ended even if the message comes before the change of localStorage', async (t) => {
    const { first, second } = await twoTabs(t)
    await second.page.evaluate(delayStorage)
    await fixture.tenant.client.signOut({}, { accessToken: await first.accessToken() })
    fixture.service.clock.advance(20 * MINUTE)
    assert.equal(await first.whoAmI(), 'INVALID_USER_TOKEN')
    // Chromium sends the event once the change is visible.
    await second.page.evaluate(() => setTimeout(() => dispatchEvent(new StorageEvent('storage')), 300))
    await second.reaches('expired')
  })

  test('finish their calls when the session is closed, and can still sign out at the service', async (t) => {
    const { first, second } = await twoTabs(t)
    await first.page.evaluate(() => (globalThis as unknown as { session: Session }).session.close())
    fixture.service.clock.advance(20 * MINUTE)
    assert.equal(await first.whoAmI(), fixture.person.userId)
    const accessToken = await first.accessToken()
    await first.signOut()
    await assert.rejects(fixture.tenant.client.getAccount({ accessToken }), { code: 'INVALID_USER_TOKEN' })
    await second.reaches('signedOut')
  })

  test('refresh with one tab when the other is closed during a refresh', async (t) => {
    const { first, second } = await twoTabs(t)
    fixture.service.clock.advance(20 * MINUTE)
    let isClosed = false
    fixture.proxy.loses = async (line, disconnected) => {
      if (line !== 'POST /auth/refresh' || isClosed) return false
      isClosed = true
      await first.page.close()
      // The browser may repeat a request whose connection is closed before it has dropped the request of the closed tab.
      await disconnected
      return true
    }
    const lost = first.whoAmI().catch(() => 'closed')
    await until(() => isClosed)
    assert.equal(await second.whoAmI(), fixture.person.userId)
    assert.equal(await lost, 'closed')
    assert.equal(refreshes().length, 2)
    fixture.proxy.loses = () => false
  })
})
