import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Session, TenantryClient } from '../../packages/client/src/index.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type BrowserFixture, startBrowserFixture } from '../support/browser/browser-session.ts'
import { startTestService } from '../support/service.ts'

const MINUTE = 60_000
const DAY = 86_400_000

describe('a session in a browser', { skip: withoutBrowser }, () => {
  let fixture: BrowserFixture
  before(async () => {
    fixture = await startBrowserFixture()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const lines = () => fixture.proxy.passed.map(({ line }) => line.split('/').at(-1))

  async function signedIn(t: { after(task: () => Promise<void>): void }, clockMs?: number) {
    const context = await fixture.browser.newContext()
    t.after(() => context.close())
    if (clockMs !== undefined) await context.clock.setFixedTime(clockMs)
    const tab = await fixture.open(context)
    await tab.signIn()
    fixture.proxy.passed.length = 0
    return { context, tab }
  }

  test('does not depend on the clock of the device, and refreshes once when that jumps', async (t) => {
    for (const skew of [-DAY, DAY]) {
      const now = Date.now()
      const { context, tab } = await signedIn(t, now + skew)
      assert.equal(await tab.whoAmI(), fixture.person.userId)
      assert.deepEqual(lines(), ['account'])
      for (const jumped of [now - 3 * DAY, now + 3 * DAY]) {
        await context.clock.setFixedTime(jumped)
        fixture.proxy.passed.length = 0
        for (let time = 0; time < 3; time++) assert.equal(await tab.whoAmI(), fixture.person.userId)
        assert.deepEqual(lines(), ['refresh', 'account', 'account', 'account'])
      }
    }
  })

  test('keeps the session while the device is offline, in a call and in a refresh', async (t) => {
    const { context, tab } = await signedIn(t, Date.now())
    await context.setOffline(true)
    assert.equal(await tab.whoAmI(), 'TenantryConnectionError')
    await context.clock.setFixedTime(Date.now() + 20 * MINUTE)
    assert.equal(await tab.whoAmI(), 'TenantryConnectionError')
    assert.equal((await tab.state()).status, 'signedIn')
    assert.deepEqual(lines(), [])
    await context.setOffline(false)
    assert.equal(await tab.whoAmI(), fixture.person.userId)
    assert.deepEqual(lines(), ['refresh', 'account'])
  })

  test('repeats a refresh at once when its response is lost', async (t) => {
    const { tab } = await signedIn(t)
    fixture.service.clock.advance(20 * MINUTE)
    let lost = 0
    fixture.proxy.loses = (line) => line.endsWith('refresh') && lost++ === 0
    assert.equal(await tab.whoAmI(), fixture.person.userId)
    assert.deepEqual(lines(), ['account', 'refresh', 'refresh', 'account'])
    const [first, second] = fixture.proxy.passed.filter(({ line }) => line.endsWith('refresh'))
    assert.equal(first!.body, second!.body)
  })

  test('survives a lost refresh for ten seconds; later, the service ends the session', async (t) => {
    for (const [waitedMs, result] of [
      [9_000, fixture.person.userId],
      [11_000, 'INVALID_USER_TOKEN'],
    ] as const) {
      const { tab } = await signedIn(t)
      fixture.service.clock.advance(20 * MINUTE)
      fixture.proxy.loses = (line) => line.endsWith('refresh')
      assert.equal(await tab.whoAmI(), 'TenantryConnectionError')
      assert.equal((await tab.state()).status, 'signedIn')
      assert.deepEqual(lines(), ['account', 'refresh', 'refresh'])
      fixture.proxy.loses = () => false
      fixture.service.clock.advance(waitedMs)
      assert.equal(await tab.whoAmI(), result)
    }
  })

  test('names an invalid tenant key among the causes, because the browser hides that answer', async (t) => {
    const { tab } = await signedIn(t)
    for (const tenantKey of [undefined, fixture.person.userId]) {
      const message = await tab.page.evaluate(
        async ([baseUrl, key]) => {
          const { createTenantryClient } = await import('/client.js' as string)
          const client: TenantryClient = createTenantryClient({ baseUrl, tenantKey: key })
          return client.getTenantConfiguration().then(String, String)
        },
        [fixture.proxy.url, tenantKey],
      )
      assert.match(message, /^TenantryConnectionError: No response .* that tenantKey is valid, and .*allowedOrigins/)
    }
  })

  test('stays signed out when a sign-out overtakes the answer of a step-up', async (t) => {
    const { tab } = await signedIn(t)
    const [status, items] = await tab.page.evaluate(async (password) => {
      const { session } = globalThis as unknown as { session: Session }
      const asked = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      const { request } = LockManager.prototype
      // A browser whose answer to whether a lock is held takes long.
      LockManager.prototype.request = async function (this: LockManager, ...args: unknown[]) {
        if ((args[1] as LockOptions).ifAvailable) {
          asked.resolve()
          await gate.promise
        }
        return request.apply(this, args as never)
      } as typeof request
      const stepUp = session.client.stepUp({ method: 'password', password })
      await asked.promise
      await session.signOut()
      gate.resolve()
      await stepUp
      return [session.state.status, localStorage.length] as const
    }, fixture.person.password)
    assert.deepEqual([status, items], ['signedOut', 0])
  })

  test('continues after a restart of the service', async (t) => {
    const { tab } = await signedIn(t)
    const { service, proxy } = fixture
    fixture.service.clock.advance(20 * MINUTE)
    const { target } = proxy
    proxy.target = 'http://127.0.0.1:1'
    assert.equal(await tab.whoAmI(), 'TenantryConnectionError')
    const { database, masterKeys, clock } = service
    await using restarted = await startTestService({ database, masterKeys, clock })
    proxy.target = restarted.baseUrl
    assert.equal(await tab.whoAmI(), fixture.person.userId)
    proxy.target = target
  })
})
