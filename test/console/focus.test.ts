import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, editedSchema, openField } from '../support/browser/schema-editor.ts'
import { expectDisabled, expectFocused, expectSoon } from '../support/expect-soon.ts'
import { addManyTenants } from '../support/many-tenants.ts'

/** A window of 1280 × 860 at 200 %, where what stays in its place covers most. */
const zoomed = { width: 640, height: 430 }

describe('what has the focus', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  before(async () => {
    fixture = await startConsole()
    tenantId = (await fixture.service.addTenant()).tenantId
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const key of ['Tab', 'Shift+Tab'])
    test(`is in view after ${key}: neither the bar at the top nor that of unsaved changes covers it`, async (t) => {
      const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { viewport: zoomed })
      await page.getByRole('switch', { name: /^One-time code/ }).press('Space')
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
      await page.getByRole('heading', { level: 1 }).focus()
      const hidden: string[] = []
      const seen = new Set<string>()
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press(key)
        const { name, isCovered } = await focused(page)
        seen.add(name)
        if (isCovered) hidden.push(name)
      }
      assert.deepEqual(hidden, [])
      assert.ok(seen.size > 20, `${seen.size} elements`)
    })

  test('is in view as a whole when it has several lines', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/delivery`)
    const field = page.getByLabel('Countries that SMS may go to')
    // Its first line alone is in the window.
    await field.evaluate((one) => scrollBy(0, one.getBoundingClientRect().top - innerHeight + 30))
    await page.getByLabel('SMS a day').evaluate((one) => one.focus({ preventScroll: true }))
    await page.keyboard.press('Tab')
    await expectSoon(() => field.evaluate(hasFocus), true)
    await expectSoon(() => field.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight), true)
  })

  test('a button that is disabled while its act takes has it again afterwards', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { expected: [/status of 502/] })
    await page.route('**/configuration', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue(),
    )
    await page.getByLabel('Digits').fill('8')
    const save = page.getByRole('button', { name: 'Save' })
    await save.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('A proxy answered').waitFor()
    await expectFocused(save)
  })

  test('the buttons of the pages of a list keep it, also at the end, and each page is announced', async (t) => {
    await addManyTenants(
      fixture.service,
      Array.from({ length: 110 }, (_, index) => `Shop ${index}`),
    )
    const page = await fixture.open(t, '/tenants')
    await page.getByRole('button', { name: 'Next' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Shop 59' }).waitFor()
    const status = page.getByRole('main').getByRole('status')
    await status.getByText('50 tenants, more on the next page').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Shop 9', exact: true }).waitFor()
    await status.getByText(/^\d+ tenants$/).waitFor()
    await expectDisabled(page.getByRole('button', { name: 'Next' }))
    await expectFocused(page.getByRole('button', { name: 'Next' }))
  })

  test('a button that moves an item of a list has it until the item is at its end', async (t) => {
    const steps = ['one', 'two', 'three'].map((step) => ({ step, verify: 'email' as const }))
    const { path } = await addTenantWithSchema(fixture, { ...editedSchema, forms: { start: { steps } } })
    const page = await fixture.open(t, `${path}?view=forms`)
    await page.getByRole('button', { name: /^start/ }).click()
    const down = page.getByRole('button', { name: 'Move step one down' })
    await down.focus()
    for (const order of [
      ['two', 'one', 'three'],
      ['two', 'three', 'one'],
      ['two', 'three', 'one'],
    ]) {
      await page.keyboard.press('Enter')
      const shown = () =>
        page.getByLabel(/^Step \d$/).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
      await expectSoon(shown, order)
      await expectSoon(() => down.evaluate(hasFocus), true)
    }
  })

  test('the button of a dialog that added something above it has it, in view', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { viewport: zoomed })
    const add = page.getByRole('button', { name: 'Add a field' })
    for (const label of ['Nickname', 'Company']) {
      await add.press('Enter')
      await page.getByRole('dialog').getByLabel('Label').fill(label)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectSoon(() => add.evaluate(hasFocus), true)
      await page.getByRole('textbox', { name: 'Help text' }).waitFor()
      await expectSoon(async () => (await focused(page)).isCovered, false)
    }
  })

  test('the menu of an option has it after the option has moved', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'kind')
    await page.getByRole('tab', { name: 'Options' }).click()
    const menu = page.getByRole('button', { name: 'Actions of option private' })
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Move down' }).press('Enter')
    await expectSoon(() => page.getByLabel('Value', { exact: true }).first().inputValue(), 'firm')
    await expectSoon(() => menu.evaluate(hasFocus), true)
  })

  test('the next input has it after a form was renamed, and a click that ends the typing is not lost', async (t) => {
    const forms = { later: { fields: ['firstName'] } }
    const { path } = await addTenantWithSchema(fixture, { ...editedSchema, forms })
    const page = await fixture.open(t, `${path}?view=forms`)
    await page.getByRole('button', { name: /^later/ }).click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('soon')
    await name.press('Tab')
    await page.getByRole('button', { name: 'Actions of form soon' }).waitFor()
    await expectFocused(page.getByLabel('Title', { exact: true }))
    await name.fill('sooner')
    await name.press('Enter')
    await page.getByRole('button', { name: 'Actions of form sooner' }).waitFor()
    await expectFocused(name)
    await name.fill('soonest')
    const { x, y } = (await page.getByText('In steps').boundingBox())!
    await page.mouse.click(x + 8, y + 8)
    await page.getByRole('button', { name: 'Actions of form soonest' }).waitFor()
    await expectSoon(() => page.getByRole('radio', { name: 'In steps' }).isChecked(), true)
  })

  test('the first item of a menu has it also where it can do nothing', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
    await page.getByRole('button', { name: 'Actions of First name' }).press('Enter')
    await expectSoon(() => item('Move up').evaluate(hasFocus), true)
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await expectSoon(() => item('Move down').evaluate(hasFocus), true)
    await expectDisabled(item('Move up'))
  })

  test('the part of the screen has it in which a button was that is gone', async (t) => {
    const { admin } = fixture.service
    await admin.publishProfileSchema({ tenantId }, { components: [{ name: 'nick', type: 'text' }] })
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com', profile: { nick: 'ada' } })
    await admin.updateUser({ tenantId, userId }, { suspension: {} })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('button', { name: 'Edit' }).press('Enter')
    const profile = page.getByRole('region', { name: 'Profile' })
    await expectSoon(() => profile.evaluate(hasFocus), true)
    await profile.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expectSoon(() => profile.evaluate(hasFocus), true)
    await page.getByRole('button', { name: 'Lift the suspension' }).press('Enter')
    await expectSoon(() => page.getByRole('main').evaluate(hasFocus), true)
  })
})

const hasFocus = (element: Element): boolean => element === document.activeElement

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!
    const bars = [...document.querySelectorAll('header, [aria-label="Unsaved changes"]')]
    const name = `${element.tagName} ${element.id || element.textContent}`
    const isAbove = element === document.body || element.matches('.skip-link')
    if (isAbove || bars.some((bar) => bar.contains(element))) return { name, isCovered: false }
    const { top, bottom } = element.getBoundingClientRect()
    const [header, unsaved] = bars.map((bar) => bar.getBoundingClientRect())
    return { name, isCovered: top < header!.bottom || bottom > (unsaved?.top ?? innerHeight) }
  })
