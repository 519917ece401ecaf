import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, withoutBrowser } from '../support/browser/browser.ts'
import { type ExampleApp, serveExample } from '../support/browser/example-app.ts'
import { startTestService, type TestService } from '../support/service.ts'

const password = 'correct horse battery'

describe('an expired session in the example', { skip: withoutBrowser }, () => {
  let service: TestService
  let example: ExampleApp
  let browser: Browser
  before(async () => {
    service = await startTestService({ start: Date.now() })
    example = await serveExample(service)
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await example?.[Symbol.asyncDispose]()
    await service?.close()
  })

  /** A user in whose profile something is entered when the session ends. */
  async function expire(t: { after(task: () => Promise<void>): void }, name: string) {
    const { tenantId, client } = example.tenant
    const email = `${name}@example.com`
    await service.admin.createUser({ tenantId }, { email, password, profile: { firstName: name } })
    const context = await browser.newContext({ locale: 'en-US' })
    t.after(() => context.close())
    const page = await context.newPage()
    const firstName = page.getByLabel('First name', { exact: true })
    const signIn = async (address: string) => {
      await page.getByLabel('E-mail address').fill(address)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    }
    const save = () => page.getByRole('button', { name: 'Save changes' }).click()
    await page.goto(example.url)
    await signIn(email)
    await firstName.fill('not saved')
    const { accessToken } = await client.signIn({ method: 'password', email, password })
    await client.signOut({ scope: 'all' }, { accessToken })
    await save()
    await page.getByText('Your session has ended.').waitFor()
    return { page, email, firstName, signIn, save }
  }

  test('keeps what was entered for the same user, who can save it', async (t) => {
    const { page, email, firstName, signIn, save } = await expire(t, 'ada')
    await signIn(email)
    assert.equal(await firstName.inputValue(), 'not saved')
    assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [])
    await save()
    await page.getByText('Saved.', { exact: true }).waitFor()
  })

  test('shows another user their own profile', async (t) => {
    const { tenantId } = example.tenant
    await service.admin.createUser({ tenantId }, { email: 'eve@example.com', password, profile: { firstName: 'eve' } })
    const { page, firstName, signIn } = await expire(t, 'grace')
    await signIn('eve@example.com')
    assert.equal(await firstName.inputValue(), 'eve')
    assert.equal(await page.getByRole('button', { name: 'Discard changes' }).count(), 0)
  })
})
