import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { contrastOf, styleOf } from '../support/browser/contrast.ts'
import { loseAnswer } from '../support/browser/lose-answer.ts'
import { openSignInSettings, saveSettings } from '../support/browser/sign-in-settings.ts'
import { expectCount, expectDisabled, expectSoon, expectValue } from '../support/expect-soon.ts'

describe('Sign-in and codes', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()

  test('shows a switch that is off in both colour schemes, and without motion where less is wanted', async (t) => {
    const { tenantId } = await fixture.service.addTenant({ methods: ['password'] })
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`)
    const google = page.getByRole('switch', { name: 'Google' })
    await google.waitFor({ state: 'attached' })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      // WCAG 1.4.11
      const [track, panel] = await Promise.all(
        [google.locator('+ *'), page.locator('.panel').filter({ has: google })].map((one) =>
          styleOf(one, 'background-color'),
        ),
      )
      const contrast = contrastOf(track!, panel!)
      assert.ok(contrast >= 3, `${contrast.toFixed(2)} in ${colorScheme}`)
    }
    const times = () => google.evaluate((input) => getComputedStyle(input.nextElementSibling!).transitionDuration)
    await expectSoon(times, '0s')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await expectSoon(times, '0.15s, 0.15s')
  })

  test('says what the policy means while it is changed, and saves what changed in one request', async (t) => {
    const { page, stored, change } = await openSignInSettings(fixture, t)
    await change({ own: { theme: 'dark' } })
    await page.reload()
    await page.getByText('A code has 6 digits and is valid for 10 minutes.').waitFor()
    for (const range of ['4 to 10', '1 to 3,600 seconds']) await page.getByText(range, { exact: true }).waitFor()
    await page.getByText('Sign-up then needs a verified code: update your apps first.').waitFor()
    await page.getByText(/changing its addresses needs a fresh sign-in\. 60 to 86,400 seconds\.$/).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Digits').fill('8')
    await page.getByLabel('Valid for').fill('90')
    await page.getByText('A code has 8 digits and is valid for 1 minute 30 seconds.').waitFor()
    await page.getByRole('switch', { name: /^Google/ }).check()
    await page.getByText('Client ids are missing').waitFor()
    await page.getByLabel('Client ids of Google').fill('web.apps.example.com\nios.apps.example.com')
    await page.getByRole('textbox', { name: 'Origins' }).fill('https://app.example.com\n')
    await page.getByText('5 settings changed').waitFor()
    await expectAccessible(page)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '')
    })
    await saveSettings(page)
    await saved(page)
    assert.deepEqual(
      sent.map((body) => Object.keys(JSON.parse(body))),
      [['auth', 'otp', 'security']],
    )
    const { auth, otp, security, own } = await stored()
    assert.ok(auth?.methods.includes('google'))
    assert.deepEqual(auth?.google, { clientIds: ['web.apps.example.com', 'ios.apps.example.com'] })
    assert.deepEqual([otp?.length, otp?.ttlSeconds, otp?.maxResends], [8, 90, 3])
    assert.deepEqual(security?.allowedOrigins, ['https://app.example.com'])
    assert.deepEqual(own, { theme: 'dark' })
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  })

  test('a change that was taken back does not hide what another operator saves', async (t) => {
    const { page, change } = await openSignInSettings(fixture, t, { isNew: true })
    await page.getByLabel('Resends').fill('1')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    await page.getByLabel('Resends').fill('3')
    await expectCount(page.getByRole('region', { name: 'Unsaved changes' }), 0)
    await change({ otp: { length: 8 } })
    // What was read is read again some seconds later.
    await page.clock.setSystemTime(Date.now() + 60_000)
    const read = page.waitForResponse((response) => response.url().endsWith('/configuration'))
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await read
    await expectValue(page.getByLabel('Digits'), '8')
  })

  test('when another operator saves first, shows both, and keeps what is chosen', async (t) => {
    const { page, stored, change } = await openSignInSettings(fixture, t, { expected: [/status of 412/] })
    await page.getByLabel('Digits').fill('8')
    await change({ otp: { length: 5, maxResends: 9 } })
    await saveSettings(page)
    const dialog = page.getByRole('dialog', { name: 'Another operator changed this meanwhile' })
    await dialog.getByRole('table', { name: 'Theirs' }).getByText('otp.maxResends').waitFor()
    await dialog.getByRole('table', { name: 'Yours' }).getByText('8').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await saved(page)
    const { otp } = await stored()
    assert.deepEqual([otp?.length, otp?.maxResends], [8, 9])

    await page.getByLabel('Digits').fill('10')
    await change({ otp: { length: 4 } })
    await saveSettings(page)
    await dialog.getByRole('table', { name: 'Theirs' }).getByText('otp.length').waitFor()
    await dialog.getByRole('button', { name: 'Show theirs' }).click()
    await page.getByText('A code has 4 digits').waitFor()
    assert.equal((await stored()).otp?.length, 4)
  })

  test('a save whose answer was lost is a success when it is repeated', async (t) => {
    const { page, stored } = await openSignInSettings(fixture, t, {
      expected: [/ERR_CONNECTION_RESET/, /status of 412/],
    })
    await page.getByLabel('Digits').fill('8')
    await loseAnswer(page, 'PATCH')
    await saveSettings(page)
    await page.getByText('The server did not answer').waitFor()
    assert.equal((await stored()).otp?.length, 8)
    await saveSettings(page)
    await saved(page)
    await expectValue(page.getByLabel('Digits'), '8')
    await expectCount(page.getByRole('button', { name: 'Save' }), 0)
    await expectCount(page.getByRole('dialog'), 0)
  })

  test('says so when what another operator changed cannot be read', async (t) => {
    const { page, change, stored } = await openSignInSettings(fixture, t, { expected: [/status of 412/, /ERR_FAILED/] })
    await page.getByLabel('Digits').fill('8')
    await change({ otp: { length: 5 } })
    const settings = '**/configuration'
    await page.route(settings, (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
    await saveSettings(page)
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    await bar.getByRole('alert').getByText('The server did not answer.').waitFor()
    await page.unroute(settings)
    await saveSettings(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click()
    await saved(page)
    assert.equal((await stored()).otp?.length, 8)
  })

  test('what is on and off again, or filled and emptied again, is not a change', async (t) => {
    const { page } = await openSignInSettings(fixture, t)
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    for (const name of [/^Password/, /^Refuse common passwords/]) {
      await page.getByRole('switch', { name }).click()
      await bar.waitFor()
      await page.getByRole('switch', { name }).click()
      await expectCount(bar, 0)
    }
    await page.getByRole('switch', { name: /^Guest/ }).check()
    await page.getByLabel('Delete guests without activity after').fill('30')
    await page.getByLabel('Delete guests without activity after').fill('')
    await page.getByRole('switch', { name: /^Guest/ }).uncheck()
    await expectCount(bar, 0)
    await page.getByRole('textbox', { name: 'Origins' }).fill('https://app.example.com')
    await bar.waitFor()
    await page.getByRole('textbox', { name: 'Origins' }).fill('')
    await expectCount(bar, 0)
  })

  test('asks before a changed form is left', async (t) => {
    const { page } = await openSignInSettings(fixture, t)
    await page.getByLabel('Refuse common passwords').check()
    await page.getByRole('navigation').getByRole('link', { name: 'Keys', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expectSoon(() => page.getByLabel('Refuse common passwords').isChecked(), true)
    await saveSettings(page)
    await saved(page)
    await page.getByRole('navigation').getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
  })

  test('leaves without an answer when the save that was running has succeeded', async (t) => {
    const { page } = await openSignInSettings(fixture, t)
    const answers = Promise.withResolvers<void>()
    await page.route('**/configuration', async (route) => {
      if (route.request().method() === 'PATCH') await answers.promise
      await route.continue()
    })
    await page.getByLabel('Refuse common passwords').check()
    await saveSettings(page)
    await page.getByRole('navigation').getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    answers.resolve()
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('an operator who may only read sees the settings and cannot change them', async (t) => {
    const scopes = ['tenants:read', 'configuration:read'] as const
    const { key } = await fixture.service.admin.createOperator({ name: 'Viewer', scopes: [...scopes] })
    const { page } = await openSignInSettings(fixture, t, { key })
    await expectDisabled(page.getByLabel('Digits'))
    await expectDisabled(page.getByRole('switch', { name: /^Password/ }))
    await expectAccessible(page)
  })
})
