import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, afterEach, before, describe, type TestContext, test } from 'node:test'
import type { Download, Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ExampleFixture, startExample } from '../support/browser/example-app.ts'
import { fullRunsOnly } from '../support/runner/sample-size.ts'

/** How long a sign-in is fresh: less than an access token lasts. */
const freshSeconds = 60

let example: ExampleFixture
before(async () => {
  if (withoutBrowser) return
  example = await startExample()
  await example.service.admin.updateConfiguration(example.tenant, { security: { freshSeconds } })
})
after(async () => {
  await example?.[Symbol.asyncDispose]()
  assert.notEqual(process.env['NODE_ENV'], 'production')
})

const [password, nextPassword] = ['correct horse battery', 'another long password']

for (const [device, viewport, options] of [
  ['a desktop', { width: 1280, height: 800 }, { skip: false }],
  ['a phone', { width: 390, height: 844 }, fullRunsOnly],
] as const) {
  describe(`the example on ${device}`, { skip: withoutBrowser || options.skip }, () => {
    const email = `ada@${device.replace(/\W/g, '-')}.example.com`
    const nickname = device.replace(/\W/g, '_')
    let page: Page
    const errors: string[] = []
    before(async () => {
      const context = await example.browser.newContext({ viewport, locale: 'en-US', timezoneId: 'UTC' })
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

    async function inspect(): Promise<void> {
      await expectAccessible(page)
      assert.deepEqual(errors, [])
    }
    /** Waits for the screen: the one before it can have fields with the same labels. */
    const open = async (name: string, title = name) => {
      await page.getByRole('link', { name, exact: true }).click()
      await heading(title)
    }
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

    test('completes the steps of the form that the service names', async () => {
      await open('Complete your profile', 'You')
      await inspect()
      await press('Continue')
      await page.getByText('Fill in this field.').waitFor()
      await fill('Given name', 'Ada')
      await fill('Family name', 'Lovelace')
      await page.getByLabel('Spoken language').selectOption({ label: 'French' })
      await inspect()
      await press('Continue')
      await heading('Your use')
      const vatId = page.getByLabel('VAT number')
      assert.equal(await vatId.count(), 0)
      const plans = () => page.getByLabel('Plan').locator('option').allTextContents()
      await page.getByLabel('for myself').check()
      assert.deepEqual(await plans(), ['Choose…', 'Free', 'Pro'])
      await page.getByLabel('for a business').check()
      assert.deepEqual(await plans(), ['Choose…', 'Free', 'Pro', 'Team'])
      await press('Continue')
      await page.getByText('Fill in this field.').waitFor()
      await vatId.fill('12')
      await press('Continue')
      await page.getByText('Begin with the two letters of the country').waitFor()
      await inspect()
      await vatId.fill('FR12345678901')
      await page.getByLabel('Plan').selectOption('team')
      await press('Continue')
      await heading('Your address')
      await press('Previous step')
      await heading('Your use')
      assert.equal(await vatId.inputValue(), 'FR12345678901')
      await press('Continue')
      await heading('Your address')
      await press('Send code')
      await page.getByLabel('Code', { exact: true }).waitFor()
      await inspect()
      await fill('Code', await example.codeFor(email))
      await press('Continue')
      await heading('Profile')
      await page.getByText('Complete your profile').waitFor({ state: 'detached' })
    })

    test('has a control for every type of field', async () => {
      const label = (text: string) => page.getByLabel(text, { exact: true })
      await label('Country').first().selectOption({ label: 'Japan' })
      await label('Time zone').selectOption('Europe/Paris')
      await label('Currency').selectOption({ label: 'Euro' })
      await fill('Customer since', '2024-05')
      await fill('Next holiday', '2026-W10')
      await fill('Street and number', '1 rue de la Paix')
      await fill('City', 'Paris')
      await page.getByRole('switch', { name: 'Newsletter' }).check()
      await label('I agree').check()
      await page.getByLabel('4 stars').check()
      await label('Volume').fill('35')
      await press('Save changes')
      await page.getByText('Fill in every required part.').waitFor()
      await page.getByRole('group', { name: 'Address' }).getByLabel('Country').selectOption('FR')
      await press('Save changes')
      await page.getByText('Saved.', { exact: true }).waitFor()
      const { items } = await example.service.admin.listUsers(example.tenant, { email })
      const ids = { tenantId: example.tenant.tenantId, userId: items[0]!.id }
      const { research, ...profile } = await example.service.admin.readUserProfile(ids)
      assert.partialDeepStrictEqual(profile, {
        ...{
          country: 'JP',
          timezone: 'Europe/Paris',
          currency: 'EUR',
          customerSince: '2024-05',
          nextHoliday: '2026-W10',
        },
        address: { line1: '1 rue de la Paix', city: 'Paris', country: 'FR' },
        ...{ newsletter: true, satisfaction: 4, volume: 35, fullName: { given: 'Ada', family: 'Lovelace' } },
        ...{ spokenLanguage: 'fr', accountKind: 'business', vatId: 'FR12345678901', plan: 'team' },
      })
      assert.partialDeepStrictEqual(research, { accepted: true, version: '2026-01' })
      assert.equal(await page.getByText('Note of the support team').count(), 0)
      await inspect()
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
      await fill('Nickname', nickname)
      await height.fill('1.7')
      await press('Save changes')
      await page.getByText('Saved.', { exact: true }).waitFor()
      await page.reload()
      await heading('Profile')
      assert.equal(await page.getByLabel('Nickname', { exact: true }).inputValue(), nickname)
      assert.equal(await page.getByLabel('music').isChecked(), true)
      await inspect()
    })

    test('lists the devices, and switches the language', async () => {
      await open('Devices')
      await page.getByText('This device', { exact: true }).waitFor()
      await inspect()
      await page.getByLabel('Language', { exact: true }).selectOption('fr')
      await heading('Appareils')
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'fr')
      await open('Profil')
      await page.getByLabel('Prénom', { exact: true }).waitFor()
      await inspect()
      await page.getByLabel('Langue', { exact: true }).selectOption('en')
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
      await open('Forgot your password?', 'Reset your password')
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

    /** Lets the sign-in become too old for sensitive operations, while the access token still counts. */
    const waitUntilStale = () => example.service.clock.advance(freshSeconds * 1000)
    const download = async (event: Promise<Download>) =>
      JSON.parse(await readFile(await (await event).path(), 'utf8')) as { user: { email: string } }

    test('asks for the password before the download of all data', async () => {
      await open('Account')
      waitUntilStale()
      await press('Download')
      const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
      await dialog.getByLabel('Password', { exact: true }).fill('a wrong password')
      await inspect()
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await dialog.getByRole('alert').waitFor()
      const saved = page.waitForEvent('download')
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      assert.equal((await download(saved)).user.email, email)
      await dialog.waitFor({ state: 'detached' })
    })

    test('keeps what was typed while the server cannot be reached', async () => {
      await open('Profile')
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

    test('reads the profile with the next try when the server could not be reached', async () => {
      await page.route('**/account/profile', (route) => route.abort('connectionrefused'))
      await page.reload()
      await page.getByRole('alert').getByText('cannot be reached').waitFor()
      await page.unroute('**/account/profile')
      await press('Save changes')
      await page.getByLabel('About you', { exact: true }).waitFor()
      assert.equal(await page.getByRole('alert').count(), 0)
    })

    test('asks for a code before it deletes the account', async () => {
      await open('Account')
      waitUntilStale()
      await press('Delete your account')
      const question = page.getByRole('dialog', { name: 'Delete your account' })
      await question.waitFor()
      await inspect()
      await press('Delete for good')
      const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you' })
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
      await question.getByText('Nothing was done').waitFor()
      await press('Delete for good')
      await dialog.getByRole('button', { name: 'With a code by e-mail' }).click()
      await dialog.getByRole('button', { name: 'Send code' }).click()
      await dialog.getByLabel('Code', { exact: true }).waitFor()
      await inspect()
      await dialog.getByLabel('Code', { exact: true }).fill(await example.codeFor(email))
      await dialog.getByRole('button', { name: 'Continue' }).click()
      await heading('Sign in')
      const { items } = await example.service.admin.listUsers(example.tenant, { email })
      assert.deepEqual(items, [])
    })
  })
}
