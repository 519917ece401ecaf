import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, expectFits } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon, expectValue } from '../support/expect-soon.ts'
import type { TestTenant } from '../support/service.ts'

describe('the frame of the console', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenant: TestTenant
  before(async () => {
    fixture = await startConsole()
    tenant = await fixture.service.addTenant()
    for (const name of ['Bakery', 'Bank']) await fixture.service.admin.createTenant({ name })
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

  async function openGoTo(page: Page) {
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Go to' })
    await dialog.waitFor()
    return dialog
  }

  test('Ctrl K does nothing while a dialog is open: what was typed there would be lost', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await page.getByRole('button', { name: 'New tenant' }).click()
    const name = page.getByRole('dialog', { name: 'New tenant' }).getByLabel('Name')
    await name.fill('Book')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('shop')
    await expectValue(name, 'Bookshop')
    await expectCount(page.getByRole('dialog'), 1)
  })

  test('Ctrl K works in an editor, too: what is typed for it does not become part of the document', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenant.tenantId}/configuration`)
    const editor = page.getByRole('textbox', { name: 'Configuration' })
    await editor.focus()
    const before = await editor.innerText()
    const dialog = await openGoTo(page)
    await page.keyboard.type('signing')
    await dialog.getByRole('option', { name: 'Tenants' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expectSoon(() => editor.innerText(), before)
  })

  test('Ctrl K goes to a screen and to a tenant, with the keyboard alone', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await heading(page, 'Tenants')
    const dialog = await openGoTo(page)
    await dialog.getByRole('option', { name: 'Code inbox' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.type('signing')
    await dialog.getByRole('option', { name: 'Tenants' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await heading(page, 'Signing keys')
    await dialog.waitFor({ state: 'detached' })

    await openGoTo(page)
    await page.keyboard.type('bank')
    const { id } = (await fixture.service.admin.listTenants({ q: 'bank' })).items[0]!
    // Ids of one time begin alike.
    await dialog
      .getByRole('option', { name: 'Bank' })
      .getByText(`…${id.slice(-6)}`, { exact: true })
      .waitFor()
    await dialog.getByRole('option', { name: 'Bakery' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/console\/tenants\/\w{26}$/)
  })

  test('Enter in Ctrl K goes nowhere but to what was typed, however fast', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await heading(page, 'Tenants')
    const dialog = await openGoTo(page)
    await page.keyboard.type('signing')
    await page.keyboard.press('Enter')
    await heading(page, 'Signing keys')
    await openGoTo(page)
    await dialog.getByRole('option', { name: 'Bakery' }).waitFor()
    await page.keyboard.type('bank')
    await page.keyboard.press('Enter')
    await dialog.getByRole('option', { name: 'Bakery' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await heading(page, 'Bank')
  })

  test('Ctrl K finds a user of the tenant by id, address and number', async (t) => {
    const { tenantId } = tenant
    const [email, phone] = ['jane.doe@example.com', '+33612345678']
    const { id } = await fixture.service.admin.createUser({ tenantId }, { email, phone })
    const page = await fixture.open(t, `/tenants/${tenantId}/users`)
    await heading(page, 'Users')
    for (const typed of [id, 'jane.d', phone.slice(0, 8), '+33 6 12-34 56']) {
      const dialog = await openGoTo(page)
      await page.keyboard.type(typed)
      await page.getByRole('option', { name: email }).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await openGoTo(page)
    await page.keyboard.type(id)
    await page.getByRole('option', { name: email }).click()
    await page.waitForURL(`**/tenants/${tenantId}/users/${id}`)
  })

  test('single keys search, move in lists and go to screens, but not while one types', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await page.getByRole('link', { name: 'Bank' }).waitFor()
    const links = page.locator('main .row-link')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expectSoon(() => links.nth(1).evaluate((link) => link === document.activeElement), true)
    await page.keyboard.press('k')
    await expectSoon(() => links.nth(0).evaluate((link) => link === document.activeElement), true)
    await page.keyboard.press('/')
    await page.keyboard.type('g t?')
    await expectValue(page.getByRole('searchbox'), 'g t?')
    await expectCount(page.getByRole('dialog'), 0)
    await page.getByRole('searchbox').fill('')
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await heading(page, 'Code inbox')
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await heading(page, 'Tenants')
  })

  test('a search that waits does not bring one back while the next page loads', async (t) => {
    const page = await fixture.open(t, '/tenants', { isNew: true })
    await page.getByRole('link', { name: 'Bank' }).waitFor()
    const { promise: isPast, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/assets/code-inbox-*.js', (route) => isPast.then(() => route.continue()))
    await page.clock.install()
    await page.getByRole('searchbox').fill('ban')
    const asked = page.waitForRequest('**/assets/code-inbox-*.js')
    await page.getByRole('link', { name: 'Code inbox' }).click()
    await asked
    await page.clock.runFor(1_000)
    goOn()
    await heading(page, 'Code inbox')
  })

  test('? lists the shortcuts, and single keys can be switched off', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await heading(page, 'Tenants')
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Single keys').click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await heading(page, 'Tenants')
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.keyboard.press('?')
    await openGoTo(page)
    await expectCount(page.getByRole('dialog'), 1)
    await expectSoon(() => new URL(page.url()).pathname, '/console/tenants')
  })

  test('the colour scheme is kept, and set before the first paint', async (t) => {
    const page = await fixture.open(t, '/tenants', { expected: [/ERR_FAILED/] })
    await heading(page, 'Tenants')
    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
    assert.equal(await scheme(), 'light')
    await page.getByRole('button', { name: 'Colour scheme' }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    // Without the page's module, only before-paint.js runs.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload({ waitUntil: 'domcontentloaded' }).catch(() => {})
    assert.equal(await scheme(), 'dark')
  })

  test('is operated on a phone: navigation behind a button, all within reach', async (t) => {
    const page = await fixture.open(t, '/tenants', { viewport: { width: 390, height: 844 } })
    await heading(page, 'Tenants')
    const link = page.getByRole('link', { name: 'Signing keys' })
    await expectSoon(() => link.isVisible(), false)
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await link.waitFor()
    await expectAccessible(page)
    await link.click()
    await heading(page, 'Signing keys')
    await link.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Go to' }).click()
    await page.getByRole('option', { name: 'Tenants' }).waitFor()
    await expectFits(page)
  })

  test('the skip link leads to the content, and each navigation to its heading', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await heading(page, 'Tenants')
    await page.getByRole('link', { name: 'Code inbox' }).click()
    await heading(page, 'Code inbox')
    await expectSoon(() => page.evaluate(() => document.activeElement?.tagName), 'H1')
    await page.getByRole('link', { name: 'Skip to the content' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expectSoon(() => page.evaluate(() => document.querySelector('main')!.contains(document.activeElement)), true)
  })

  test('names the environment, in red words in production', async (t) => {
    const staging = await fixture.open(t, '/tenants')
    await staging.getByRole('banner').getByText('staging').waitFor()
    await using production = await startConsole({ environment: 'production' })
    const ends: (() => Promise<void>)[] = []
    const page = await production.open({ after: (end) => void ends.push(end) }, '/tenants')
    const words = page.getByRole('banner').getByText('production')
    await words.waitFor()
    await expectAccessible(page)
    await expectSoon(() => words.evaluate((element) => getComputedStyle(element).color), 'rgb(156, 28, 28)')
    for (const end of ends) await end()
  })
})
