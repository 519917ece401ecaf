import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import type { EndOfTest } from '../support/browser/console-page.ts'
import { type ExampleFixture, startExample } from '../support/browser/example-app.ts'

const password = 'correct horse battery'
const email = 'ada@example.com'
const taken = 'Someone else has this already.'

describe('a unique field of the example', { skip: withoutBrowser }, () => {
  let example: ExampleFixture
  before(async () => {
    example = await startExample()
    const { service, tenant } = example
    await service.admin.createUser(tenant, { email: 'grace@example.com', profile: { nickname: 'Grace' } })
    await service.admin.createUser(tenant, { email, password, profile: { nickname: 'ada', country: 'FR' } })
  })
  after(() => example?.[Symbol.asyncDispose]())

  /** Opens the example. Records which values it asks about. */
  async function open(t: EndOfTest, width: number) {
    const page = await example.open(t, '', { viewport: { width, height: 844 } })
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'POST' || !request.url().endsWith('/check')) return
      asked.push(`${new URL(request.url()).pathname} ${request.postData()}`)
    })
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    return { page, asked, nickname: page.getByLabel('Nickname', { exact: true }) }
  }

  /** The answer to the last value, which screen readers announce and read with the field. */
  async function says(page: Page, text: string): Promise<void> {
    const status = page.getByRole('status').filter({ hasText: text })
    await status.waitFor()
    const input = page.getByLabel('Nickname', { exact: true })
    assert.ok((await input.getAttribute('aria-describedby'))?.split(' ').includes((await status.getAttribute('id'))!))
    assert.equal(await input.getAttribute('aria-invalid'), text === taken ? 'true' : null)
  }

  for (const width of [1280, 390]) {
    test(`tells at sign-up, ${width} pixels wide, whether a value is taken`, async (t) => {
      const { page, asked, nickname } = await open(t, width)
      await page.getByRole('link', { name: 'Create an account', exact: true }).click()
      // A button that moves while it is pressed is not clicked.
      const placeOfButton = () => page.getByRole('button', { name: 'Create an account', exact: true }).boundingBox()
      const place = await placeOfButton()
      await nickname.fill('grace')
      await says(page, taken)
      assert.deepEqual(await placeOfButton(), place)
      await expectAccessible(page)
      await nickname.fill('grace_2')
      await says(page, 'Available.')
      await expectAccessible(page)
      assert.deepEqual(asked, [
        '/auth/sign-up/check {"profile":{"nickname":"grace"}}',
        '/auth/sign-up/check {"profile":{"nickname":"grace_2"}}',
      ])
    })

    test(`tells in the profile, ${width} pixels wide, whether a value is taken`, async (t) => {
      const { page, asked, nickname } = await open(t, width)
      await example.signIn(page, email, password)
      await nickname.fill('GRACE')
      await says(page, taken)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Save changes', exact: true }).click()
      await page.getByText('One field needs your attention.').waitFor()
      assert.equal(await page.getByText(taken).count(), 1)
      assert.equal(await page.getByLabel('Country', { exact: true }).first().inputValue(), 'FR')
      await nickname.fill('grace_3')
      await says(page, 'Available.')
      await expectAccessible(page)
      assert.deepEqual(asked, [
        '/account/profile/check {"nickname":"GRACE"}',
        '/account/profile/check {"nickname":"grace_3"}',
      ])
    })
  }

  test('is refused at its field when it was taken while a sign-up verified the address', async (t) => {
    const { service, tenant } = example
    const protect = (enumerationProtection: boolean) =>
      service.admin.updateConfiguration(tenant, { security: { enumerationProtection } })
    await protect(true)
    t.after(() => protect(false))
    const { page, nickname } = await open(t, 1280)
    const signUp = page.getByRole('button', { name: 'Create an account', exact: true })
    await page.getByRole('link', { name: 'Create an account', exact: true }).click()
    // The address changes before the screen, whose first fields have the same labels.
    await page.getByRole('heading', { level: 1, name: 'Create an account' }).waitFor()
    await page.getByLabel('E-mail address').fill('mary@example.com')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('First name', { exact: true }).fill('Mary')
    await nickname.fill('mary')
    await page.getByLabel('I accept the terms').check()
    await signUp.click()
    await page.getByLabel('Code', { exact: true }).waitFor()
    await service.admin.createUser(tenant, { email: 'other@example.com', profile: { nickname: 'mary' } })
    await page.getByLabel('Code', { exact: true }).fill(await example.codeFor('mary@example.com'))
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByText(taken).waitFor()
    await nickname.fill('mary_2')
    await signUp.click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  test('is asked about after a pause, and only with a new valid value', async (t) => {
    const { page, asked, nickname } = await open(t, 1280)
    await example.signIn(page, email, password)
    await nickname.fill('')
    await nickname.pressSequentially('lovelace', { delay: 20 })
    await says(page, 'Available.')
    for (const value of ['x', 'not valid', 'ada']) {
      await nickname.fill(value)
      await page.waitForTimeout(600)
    }
    assert.deepEqual(asked, ['/account/profile/check {"nickname":"lovelace"}'])
  })

  test('ignores the answer about a value that has been replaced', async (t) => {
    const { page, nickname } = await open(t, 1280)
    await example.signIn(page, email, password)
    const delayed = Promise.withResolvers<void>()
    await page.route('**/account/profile/check', async (route) => {
      if (route.request().postData()?.includes('grace"')) await delayed.promise
      await route.continue().catch(() => {})
    })
    const first = page.waitForRequest('**/account/profile/check')
    await nickname.fill('grace')
    const aborted = page.waitForEvent('requestfailed', { predicate: (request) => request.url().endsWith('/check') })
    await first
    await nickname.fill('grace_4')
    await aborted
    delayed.resolve()
    await says(page, 'Available.')
    assert.equal(await page.getByText(taken).count(), 0)
  })
})
