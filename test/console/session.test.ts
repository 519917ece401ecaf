import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { launchBrowser, withoutBrowser } from '../support/browser/browser.ts'
import { openConsole, samePage } from '../support/browser/console.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSearch, expectSoon, expectValue } from '../support/expect-soon.ts'
import { send } from '../support/http/wire.ts'
import { testAdminKey } from '../support/service.ts'

/** Another tab of the same browser, at the sign-in. */
async function openTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(new URL('/console/sign-in', page.url()).href)
  return tab
}

async function signInTo(place: Page | Locator, key: string): Promise<void> {
  const field = place.getByLabel('Admin key')
  await field.fill(key)
  await field.press('Enter')
}

describe('the session of the console', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('is refused with a wrong key, begins with the right one, and leads to where one was going', async (t) => {
    const page = await fixture.open(t, '/code-inbox?recipient=ada', { key: null, expected: [/status of 401/] })
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor()
    await page.getByLabel('Admin key').waitFor()
    t.diagnostic(`the key can be entered after ${await page.evaluate(() => Math.round(performance.now()))} ms`)
    await expectAccessible(page)
    await page.getByLabel('Admin key').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('INVALID_ADMIN_KEY').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Admin key').fill(testAdminKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Code inbox', level: 1 }).waitFor()
    await expectSearch(page, '?recipient=ada')
  })

  test('takes a key that was copied with spaces around it', async (t) => {
    const page = await fixture.open(t, '/sign-in', { key: null })
    await page.getByLabel('Admin key').fill(` ${testAdminKey} `)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  })

  test('that cannot be read is read again by the next attempt', async (t) => {
    const page = await fixture.open(t, '/sign-in', { isNew: true, expected: [/ERR_FAILED/, /TenantryConnectionError/] })
    await page.getByLabel('Admin key').waitFor()
    await page.route('**/admin/session', (route) => route.abort())
    await page.goto(`${fixture.service.adminUrl}/console/tenants`)
    await page.getByText('The server did not answer').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
  })

  for (const to of ['https://evil.example/', '//evil.example/', '/\\\\evil.example', 'javascript:alert(1)']) {
    test(`leads from the sign-in to no page but ours: ${to} (threat K10)`, async (t) => {
      const page = await fixture.open(t, `/sign-in?to=${encodeURIComponent(to)}`, { key: null })
      await page.getByLabel('Admin key').fill(testAdminKey)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
      await expectSoon(() => page.url(), `${fixture.service.baseUrl}/console/`)
    })
  }

  test('ends at sign-out, and the page before is gone', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await page.getByRole('heading', { name: 'Tenants', level: 1 }).waitFor()
    const ended = page.waitForResponse('**/admin/session')
    await page.getByRole('button', { name: 'Sign out' }).click()
    assert.equal((await ended).status(), 204)
    await page.getByLabel('Admin key').waitFor()
    await expectSoon(() => page.context().cookies(), [])
    await page.goto(`${fixture.service.baseUrl}/console/tenants`)
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor()
  })

  test('that begins after a sign-out is not ended by Back or a reload', async (t) => {
    const page = await fixture.open(t, '/tenants', { isNew: true })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expectSoon(() => page.context().cookies(), [])
    await signInTo(page, testAdminKey)
    const overview = page.getByRole('heading', { name: 'Overview', level: 1 })
    await overview.waitFor()
    const tenants = page.getByRole('heading', { name: 'Tenants', level: 1 })
    await page.goBack()
    await tenants.waitFor()
    await page.reload()
    await tenants.waitFor()
    await page.goForward()
    await overview.waitFor()
  })

  test('says when sign-out failed, and signs out at the next attempt', async (t) => {
    const page = await fixture.open(t, '/tenants', { expected: [/ERR_CONNECTION/, /ERR_FAILED/] })
    await page.route('**/admin/session', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('alert').getByText('The server did not answer').waitFor()
    await page.unroute('**/admin/session')
    const ended = page.waitForResponse('**/admin/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    assert.equal((await ended).status(), 204)
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await expectSoon(() => page.context().cookies(), [])
  })

  test('that ended elsewhere is begun again over the page, which then goes on', async (t) => {
    await fixture.service.admin.createTenant({ name: 'Read after the sign-in' })
    const page = await fixture.open(t, '/operators', { expected: [/status of 401/] })
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
    await clickWithoutSession(page.getByRole('link', { name: 'Tenants' }))
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Admin key').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('INVALID_ADMIN_KEY').waitFor()
    await dialog.getByLabel('Admin key').fill(testAdminKey)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Read after the sign-in' }).waitFor()
    await expectCount(page.getByRole('alert'), 0)
  })

  test('that ended is begun again above a dialog, which Escape does not close', async (t) => {
    const page = await fixture.open(t, '/tenants', { expected: [/status of 401/] })
    await page.getByRole('button', { name: 'New tenant' }).click()
    const below = page.getByRole('dialog', { name: 'New tenant' })
    await below.getByLabel('Name').fill('Typed before')
    await page.context().clearCookies()
    await page.locator('main [data-search]').fill('acme')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText('Sign in again to go on.').click()
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Admin key').fill(testAdminKey)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expectValue(below.getByLabel('Name'), 'Typed before')
  })

  test('that another operator begins again shows nothing of what the first one typed', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { key } = await admin.createOperator({ name: 'Grace', role: 'admin' })
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { expected: [/status of 401/] })
    await page.getByLabel('Digits').fill('8')
    await clickWithoutSession(page.getByRole('button', { name: 'Save' }))
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Admin key').fill(key)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expectValue(page.getByLabel('Digits'), '6')
    await expectCount(page.getByRole('button', { name: 'Save' }), 0)
    await expectCount(page.getByRole('alert'), 0)
    assert.equal((await admin.readConfiguration({ tenantId })).otp?.length, 6)
  })

  test('that another tab begins for another operator stops what this tab could do in their name', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { key } = await admin.createOperator({ name: 'Grace', role: 'support' })
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { isNew: true })
    await page.getByLabel('Digits').fill('8')
    const other = await openTab(page)
    await signInTo(other, key)
    await other.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByText('Grace signed in to this browser in another tab.').waitFor()
    await expectAccessible(page)
    await signInTo(dialog, testAdminKey)
    await dialog.waitFor({ state: 'detached' })
    await expectValue(page.getByLabel('Digits'), '8')
    const signingKeys = other.getByRole('link', { name: 'Signing keys' })
    await expectCount(signingKeys, 0)
    await other.getByRole('button', { name: 'Go on as' }).click()
    await signingKeys.waitFor()
    await expectCount(other.getByRole('dialog'), 0)
    await expectCount(page.getByRole('dialog'), 0)
  })

  test('that another tab ends and begins again ends and begins in this tab, too', async (t) => {
    const page = await fixture.open(t, '/operators', { isNew: true })
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
    const other = await openTab(page)
    await other.goto(`${fixture.service.adminUrl}/console/`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await signInTo(other, testAdminKey)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
  })

  test('can be left instead, for the sign-in page and back', async (t) => {
    const page = await fixture.open(t, '/operators', { expected: [/status of 401/] })
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
    await clickWithoutSession(page.getByRole('link', { name: 'Tenants' }))
    await page.getByRole('button', { name: 'Leave this page' }).click()
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor()
    await page.getByLabel('Admin key').fill(testAdminKey)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tenants', level: 1 }).waitFor()
  })

  test('is explained over plain http, where no browser keeps it', async (t) => {
    const browser = await launchBrowser(['--host-resolver-rules=MAP console.example 127.0.0.1'])
    t.after(() => browser.close())
    const { port } = new URL(fixture.service.baseUrl)
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.goto(`http://console.example:${port}/console/tenants`)
    await page.getByText('This page came over plain http').waitFor()
    await page.getByText(`ssh -L ${port}:127.0.0.1:${port} console.example`).waitFor()
    await expectCount(page.getByLabel('Admin key'), 0)
    await expectAccessible(page)
  })

  test('that the browser does not keep is explained', async (t) => {
    const page = await fixture.open(t, '/sign-in', { key: null })
    await page.route('**/admin/session', async (route) => {
      const answer = await route.fetch()
      const { 'set-cookie': _, ...headers } = answer.headers()
      // Playwright keeps the cookies of its own requests.
      await page.context().clearCookies()
      await route.fulfill({ response: answer, headers })
    })
    await page.getByLabel('Admin key').fill(testAdminKey)
    await page.keyboard.press('Enter')
    await page.getByText("did not keep the session's cookie").waitFor()
  })

  /** Clicks after the root key was signed out everywhere. */
  async function clickWithoutSession(target: Locator): Promise<void> {
    const [name, value] = await openConsole(fixture.service.baseUrl, testAdminKey)
    const headers = [...samePage, [name, value] as const]
    const answer = await send(fixture.service.baseUrl, { method: 'DELETE', path: '/admin/session?all=true', headers })
    assert.equal(answer.status, 204)
    // Not by the mouse: an answer that was on its way may already have opened the dialog, which covers the page.
    await target.dispatchEvent('click')
  }
})
