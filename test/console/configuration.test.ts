import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectDisabled } from '../support/expect-soon.ts'

describe('Configuration', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const editor = (page: Page) => page.getByRole('textbox', { name: 'Configuration as JSON' })
  const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

  async function openEditor(
    t: Parameters<ConsoleFixture['open']>[0],
    options: Parameters<ConsoleFixture['open']>[2] = {},
  ) {
    const { tenantId } = await fixture.service.addTenant({ configuration: { own: { theme: 'light' } } })
    const page = await fixture.open(t, `/tenants/${tenantId}/configuration`, options)
    await editor(page).getByText('"theme"').waitFor()
    const stored = () => fixture.service.admin.readConfiguration({ tenantId })
    return { page, tenantId, stored }
  }

  /** Selects a text in the editor and types another. */
  async function replace(page: Page, text: string, by: string): Promise<void> {
    await editor(page).getByText(text, { exact: true }).dblclick()
    await page.keyboard.insertText(by)
  }

  test('shows the whole map, and saves it, also members that are null', async (t) => {
    const { page, stored } = await openEditor(t)
    await expectAccessible(page)
    await editor(page).getByText('"light"').click()
    await page.keyboard.press('End')
    await page.keyboard.insertText(',\n    "colours": null')
    await page.getByText('1 setting changed').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(page)
    assert.deepEqual((await stored())['own'], { theme: 'light', colours: null })
  })

  test('a mistake is named with its line, and nothing can be saved until it is corrected', async (t) => {
    const { page, tenantId, stored } = await openEditor(t, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      isNew: true,
    })
    const before = await stored()
    await editor(page).getByText('"light"').click()
    await page.keyboard.press('End')
    await page.keyboard.insertText('x')
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByText(/^Line \d+: /).waitFor()
    await expectDisabled(bar.getByRole('button', { name: 'Save' }))
    await expectAccessible(page)
    // Another operator's change does not replace what is typed.
    await fixture.service.admin.updateConfiguration({ tenantId }, { own: { by: 'another' } })
    const answered = page.waitForResponse(/\/configuration$/)
    await page.clock.setFixedTime(Date.now() + 20_000)
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await answered
    await bar.getByText(/^Line \d+: /).waitFor()
    await fixture.service.admin.updateConfiguration({ tenantId }, { own: { by: null } })
    await page.keyboard.press('Backspace')
    await bar.waitFor({ state: 'detached' })
    assert.deepEqual(await stored(), before)
  })

  test('a number that would be rounded is refused, not changed', async (t) => {
    const { page, stored } = await openEditor(t)
    await replace(page, '600', '9007199254740993')
    await page.getByText(/Line \d+: 9007199254740993 cannot be kept exactly/).waitFor()
    await expectDisabled(page.getByRole('button', { name: 'Save' }))
    assert.equal((await stored()).otp?.ttlSeconds, 600)
  })

  test("marks the server's problems at their lines, and keeps the text", async (t) => {
    const { page } = await openEditor(t, { expected: [/status of 400/] })
    await replace(page, '600', '99999')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText('otp.ttlSeconds').waitFor()
    const line = page.locator('.cm-line', { has: page.locator('.cm-lintRange-error') })
    await line.filter({ hasText: '"ttlSeconds": 99999' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Discard' }).click()
    await editor(page).getByText('600', { exact: true }).waitFor()
  })

  test('when another operator saves first, both changes are kept', async (t) => {
    const { page, tenantId, stored } = await openEditor(t, { expected: [/status of 412/] })
    await replace(page, '600', '300')
    await fixture.service.admin.updateConfiguration({ tenantId }, { own: { theme: 'dark' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('table', { name: 'Theirs' }).getByText('own.theme').waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await saved(page)
    const { own, otp } = await stored()
    assert.deepEqual([own, otp?.ttlSeconds], [{ theme: 'dark' }, 300])
    await editor(page).getByText('"dark"').waitFor()
  })
})
