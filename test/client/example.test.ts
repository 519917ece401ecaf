import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, afterEach, before, describe, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, withoutBrowser } from '../support/browser.ts'
import { type ExampleApp, serveExample } from '../support/example-app.ts'
import { fullRunsOnly } from '../support/sample-size.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let example: ExampleApp
let browser: Browser
let axe: string
before(async () => {
  if (withoutBrowser) return
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  service = await startTestService({ start: Date.now() })
  example = await serveExample(service)
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await example?.[Symbol.asyncDispose]()
  await service?.close()
})

const password = 'correct horse battery'
const nextPassword = 'another long password'

for (const [device, viewport, options] of [
  ['a desktop', { width: 1280, height: 800 }, { skip: false }],
  ['a phone', { width: 390, height: 844 }, fullRunsOnly],
] as const) {
  describe(`the example on ${device}`, { skip: withoutBrowser || options.skip }, () => {
    const email = `ada@${device.replace(/\W/g, '-')}.example.com`
    let page: Page
    const errors: string[] = []
    before(async () => {
      const context = await browser.newContext({ viewport, locale: 'en-US', timezoneId: 'UTC' })
      page = await context.newPage()
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(example.url)
    })
    after(() => page.context().close())
    // What the page showed tells more than the step that waited for it.
    afterEach(async (context) => {
      const t = context as TestContext & { readonly passed: boolean }
      if (!t.passed) t.diagnostic(`${page.url()}: ${await page.locator('body').innerText()}`)
    })

    /** No violation of WCAG, and nothing wider than the screen. */
    async function inspect(): Promise<void> {
      await page.evaluate(axe)
      const violations = await page.evaluate(async () => {
        const { run } = (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe
        return (await run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      })
      assert.deepEqual(violations, [])
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true)
      assert.deepEqual(errors, [])
    }
    const open = (name: string) => page.getByRole('link', { name, exact: true }).click()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)

    test('signs up with the fields of the form signUp', async () => {
      await heading('Sign in')
      await inspect()
      await open('Create an account')
      await fill('E-mail address', email)
      await fill('Password', password)
      await fill('First name', 'Ada')
      await fill('Date of birth', '1990-12-10')
      await page.getByLabel('I accept the terms').check()
      await inspect()
      await press('Create an account')
      await heading('Profile')
      assert.equal(await page.getByLabel('First name', { exact: true }).inputValue(), 'Ada')
    })

    test('saves the profile, and shows what is invalid beside its field', async () => {
      await fill('Nickname', 'a!')
      await fill('Height (m)', '9')
      await page.getByLabel('music').check()
      await press('Save changes')
      const height = page.getByLabel('Height (m)', { exact: true })
      await page.getByText('need your attention').waitFor()
      assert.equal(await height.getAttribute('aria-invalid'), 'true')
      await inspect()
      await fill('Nickname', 'ada_1')
      await height.fill('1.7')
      await press('Save changes')
      await page.getByText('Saved.', { exact: true }).waitFor()
      await page.reload()
      await heading('Profile')
      assert.equal(await page.getByLabel('Nickname', { exact: true }).inputValue(), 'ada_1')
      assert.equal(await page.getByLabel('music').isChecked(), true)
      await inspect()
    })

    test('lists the devices, and switches the language', async () => {
      await open('Devices')
      await page.getByText('This device', { exact: true }).waitFor()
      await inspect()
      await page.getByLabel('Language').selectOption('fr')
      await heading('Appareils')
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'fr')
      await open('Profil')
      await page.getByLabel('Prénom', { exact: true }).waitFor()
      await inspect()
      await page.getByLabel('Langue').selectOption('en')
    })

    test('changes the password', async () => {
      await open('Account')
      await fill('Current password', 'a wrong password')
      await fill('New password', nextPassword)
      await press('Change password')
      await page.getByRole('alert').waitFor()
      await fill('Current password', password)
      await press('Change password')
      await page.getByText('Your password is changed.').waitFor()
      await inspect()
    })

    test('resets a forgotten password', async () => {
      await press('Sign out')
      await open('Forgot your password?')
      await fill('E-mail address', email)
      await press('Send code')
      await page.getByLabel('Code', { exact: true }).waitFor()
      await fill('Code', await example.codeFor(email))
      await press('Continue')
      await fill('New password', password)
      await inspect()
      await press('Save changes')
      await page.getByText('Your password is changed.').waitFor()
      await open('Sign in')
      await fill('E-mail address', email)
      await fill('Password', password)
      await press('Sign in')
      await heading('Profile')
    })

    test('signs out, and in with a code', async () => {
      await press('Sign out')
      await heading('Sign in')
      await press('With a code by e-mail')
      await fill('E-mail address', email)
      await press('Send code')
      await page.getByLabel('Code', { exact: true }).waitFor()
      await inspect()
      await fill('Code', '000000')
      await press('Continue')
      await page.getByRole('alert').waitFor()
      await fill('Code', await example.codeFor(email))
      await press('Continue')
      await heading('Profile')
    })

    test('keeps what was typed while the server cannot be reached', async () => {
      await fill('About you', 'Writes programs.')
      await page.context().setOffline(true)
      await press('Save changes')
      await page.getByRole('alert').getByText('cannot be reached').waitFor()
      await inspect()
      await page.context().setOffline(false)
      await press('Save changes')
      await page.getByText('Saved.', { exact: true }).waitFor()
      assert.equal(await page.getByLabel('About you', { exact: true }).inputValue(), 'Writes programs.')
    })
  })
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}
