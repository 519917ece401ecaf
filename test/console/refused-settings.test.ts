import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { openSignInSettings, saveSettings } from '../support/browser/sign-in-settings.ts'
import { expectCount, expectInvalid, expectTexts, expectValue } from '../support/expect-soon.ts'

describe('refused settings of how users sign in', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test("puts the server's messages at their fields, and keeps what was typed", async (t) => {
    const { page, stored } = await openSignInSettings(fixture, t, {
      ...{ expected: [/status of 400/], viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const },
    })
    const before = await stored()
    await page.getByLabel('Digits').fill('99')
    await page.getByRole('textbox', { name: 'Origins' }).fill('https://app.example.com/path')
    await saveSettings(page)
    await page.getByRole('alert').getByText('VALIDATION_ERROR').waitFor()
    await page.getByText('The server refused some values.', { exact: true }).waitFor()
    await page.getByText('https://app.example.com/path: Expected an origin such as https://app.example.com').waitFor()
    await expectInvalid(page.getByLabel('Digits'))
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
    await expectValue(page.getByLabel('Digits'), '99')
    await expectAccessible(page)
    assert.deepEqual(await stored(), before)
    await page.getByRole('button', { name: 'Discard' }).click()
    await expectValue(page.getByLabel('Digits'), '6')
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
  })

  test('a refusal is over once the change is taken back by hand', async (t) => {
    const { page } = await openSignInSettings(fixture, t, { expected: [/status of 400/] })
    await page.getByLabel('Digits').fill('99')
    await saveSettings(page)
    await expectInvalid(page.getByLabel('Digits'))
    await page.getByLabel('Digits').fill('6')
    await expectCount(page.locator('[aria-invalid="true"]'), 0)
    await page.getByLabel('Resends').fill('4')
    await page.getByText('1 setting changed').waitFor()
    await expectCount(page.getByRole('alert'), 0)
    await expectCount(page.locator('[aria-invalid="true"]'), 0)
  })

  test('a refusal is over once all that was refused is corrected, before the next save', async (t) => {
    const { page } = await openSignInSettings(fixture, t, { expected: [/status of 400/] })
    const origins = page.getByRole('textbox', { name: 'Origins' })
    await page.getByLabel('Digits').fill('99')
    await origins.fill('https://app.example.com/path')
    await saveSettings(page)
    await expectInvalid(page.getByLabel('Digits'))
    await page.getByLabel('Digits').fill('7')
    await expectCount(page.locator('[aria-invalid="true"]'), 1)
    await expectCount(page.getByRole('alert'), 1)
    await origins.fill('https://app.example.com')
    await expectCount(page.locator('[aria-invalid="true"]'), 0)
    await expectCount(page.getByRole('alert'), 0)
    await page.getByText('2 settings changed').waitFor()
  })

  test('the reason why a line was refused goes with the line', async (t) => {
    const { page } = await openSignInSettings(fixture, t, { expected: [/status of 400/] })
    const origins = page.getByRole('textbox', { name: 'Origins' })
    await origins.fill('https://one.example.com/path\nhttps://two.example.com')
    await saveSettings(page)
    const reason = page.getByText(/: Expected an origin such as/)
    await expectTexts(reason, ['https://one.example.com/path: Expected an origin such as https://app.example.com'])
    await origins.fill('https://two.example.com')
    await expectCount(reason, 0)
  })

  test('the reason why the setting of a way that is off was refused is listed', async (t) => {
    const { page, change } = await openSignInSettings(fixture, t, { expected: [/status of 400/] })
    await change({ auth: { methods: ['password', 'guest'] } })
    await page.reload()
    await page.getByLabel('Delete guests without activity after').fill('99999')
    await page.getByRole('switch', { name: /^Guest/ }).uncheck()
    await saveSettings(page)
    await page.getByRole('region', { name: 'Unsaved changes' }).getByText('auth.guest.idleDays').waitFor()
  })
})
