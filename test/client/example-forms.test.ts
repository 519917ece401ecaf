import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { demoProfileSchema } from '../../demo/profile-schema.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ExampleFixture, startExample } from '../support/browser/example-app.ts'

const password = 'correct horse battery'
const email = 'ada@example.com'

describe('a form of the example', { skip: withoutBrowser }, () => {
  let example: ExampleFixture
  before(async () => {
    example = await startExample()
    const { service, tenant } = example
    for (const address of [email, 'grace@example.com', 'mary@example.com', 'eve@example.com']) {
      await service.admin.createUser(tenant, { email: address, password })
    }
  })
  after(() => example?.[Symbol.asyncDispose]())

  test('is sent once, however often it is submitted', async (t) => {
    const page = await example.open(t)
    const sent: string[] = []
    let gate = Promise.resolve()
    await page.route(`${example.service.baseUrl}/**`, async (route) => {
      if (route.request().method() === 'POST') sent.push(new URL(route.request().url()).pathname)
      await gate
      await route.continue()
    })
    /** Submits by the keyboard twice before the answer arrives. */
    const submitTwice = async (label: string, text: string, button: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      const input = page.getByLabel(label, { exact: true })
      await input.fill(text)
      await input.press('Enter')
      await input.press('Enter')
      await page.getByRole('button', { name: button, exact: true, disabled: true }).waitFor()
      resolve()
    }
    await page.getByRole('button', { name: 'With a code by e-mail' }).click()
    await submitTwice('E-mail address', email, 'Send code')
    await page.getByLabel('Code', { exact: true }).waitFor()
    await submitTwice('Code', await example.codeFor(email), 'Continue')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    assert.deepEqual(sent, ['/otp', '/otp/verify', '/auth/sign-in'])
  })

  test('takes a code that was pasted with a space', async (t) => {
    const page = await example.open(t)
    await page.getByRole('button', { name: 'With a code by e-mail' }).click()
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await page.getByRole('button', { name: 'Send code' }).click()
    await page.getByLabel('Code', { exact: true }).focus()
    await page.keyboard.insertText(` ${await example.codeFor('grace@example.com')}`)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).or(page.getByRole('alert')).waitFor()
    assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [])
  })

  test('keeps the address when another way to sign in is chosen', async (t) => {
    const page = await example.open(t)
    const address = page.getByLabel('E-mail address')
    await address.fill(email)
    await page.getByRole('button', { name: 'With a code by e-mail' }).click()
    await page.getByRole('button', { name: 'Send code' }).waitFor()
    assert.equal(await address.inputValue(), email)
  })

  test('sets the first password of a user, who has no current one', async (t) => {
    await example.service.admin.createUser(example.tenant, { email: 'zoe@example.com' })
    const page = await example.open(t)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await press('With a code by e-mail')
    await page.getByLabel('E-mail address').fill('zoe@example.com')
    await press('Send code')
    await enterCode(page, 'zoe@example.com')
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'Set a password' }).waitFor()
    const current = page.getByLabel('Current password')
    assert.equal(await current.count(), 0)
    await page.getByLabel('New password').fill(password)
    await press('Set a password')
    await page.getByText('Your password is set.').waitFor()
    await current.waitFor()
  })

  test('drops the empty lines of a list', async (t) => {
    const page = await example.open(t)
    await example.signIn(page, 'eve@example.com', password)
    const tags = page.getByLabel('Tags', { exact: true })
    await tags.fill('one\n\ntwo\n')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    assert.equal(await tags.inputValue(), 'one\ntwo')
  })

  test('asks for another code when that of a password reset expires before the new password is sent', async (t) => {
    const page = await example.open(t, '#/reset-password')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const prove = async () => {
      await page.getByLabel('E-mail address').fill('mary@example.com')
      await press('Send code')
      await enterCode(page, 'mary@example.com')
      await page.getByLabel('New password').fill('another horse battery')
    }
    await prove()
    example.service.clock.advance(3_600_000)
    await press('Save changes')
    await page.getByRole('alert').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Send code' }).isVisible())
    await prove()
    await press('Save changes')
    await page.getByText('Your password is changed.').waitFor()
  })

  test('with steps continues with the Enter key', async (t) => {
    const page = await example.open(t)
    await example.signIn(page, 'eve@example.com', password)
    await page.getByText('Complete your profile').click()
    await page.getByLabel('Given name').fill('Eve')
    await page.getByLabel('Family name').fill('Lovelace')
    await page.getByLabel('Family name').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Your use' }).waitFor()
  })

  test('asks a user without an address for one to verify', async (t) => {
    const { service, tenant } = example
    await service.admin.updateConfiguration(tenant, { auth: { methods: ['password', 'otp', 'guest'] } })
    const guest = await tenant.client.signIn({ method: 'guest' })
    const profile = { fullName: { given: 'Ada', family: 'Lovelace' }, accountKind: 'person' }
    await tenant.client.updateProfile(profile, { accessToken: guest.accessToken })
    const page = await example.open(t)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await example.signIn(page, 'eve@example.com', password)
    // The example has no button for guests.
    await page.evaluate(
      (session) => {
        const key = Object.keys(localStorage).find((name) => localStorage.getItem(name)?.includes('accessToken'))
        localStorage.setItem(key!, session)
      },
      JSON.stringify({ ...guest, receivedAt: Date.now() }),
    )
    await page.reload()
    await page.getByText('Complete your profile').click()
    await page.getByRole('heading', { level: 1, name: 'Your address' }).waitFor()
    assert.equal(await page.getByText(/is confirmed/).count(), 0)
    await page.getByLabel('E-mail address').fill('new@example.com')
    await press('Send code')
    await enterCode(page, 'new@example.com')
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    await page.getByText('Complete your profile').waitFor({ state: 'detached' })
  })

  test('verifies a phone number where a step asks for it', async (t) => {
    const { service, tenant } = example
    await service.admin.publishProfileSchema(tenant, {
      ...demoProfileSchema,
      forms: { onboarding: { prompt: 'signIn', steps: [{ step: 'number', title: 'Your number', verify: 'phone' }] } },
    })
    const page = await example.open(t)
    await example.signIn(page, 'mary@example.com', 'another horse battery')
    await page.getByText('Complete your profile').click()
    await page.getByRole('heading', { level: 1, name: 'Your number' }).waitFor()
    await page.getByLabel('Phone number').fill('+33 6 12 34 56 78')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send code' }).click()
    await enterCode(page, '+33612345678')
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  })

  async function enterCode(page: Page, address: string): Promise<void> {
    const code = page.getByLabel('Code', { exact: true })
    await code.waitFor()
    await code.fill(await example.codeFor(address))
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
  }
})
