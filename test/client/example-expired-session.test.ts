import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import type { EndOfTest } from '../support/browser/console-page.ts'
import { type ExampleFixture, startExample } from '../support/browser/example-app.ts'

const password = 'correct horse battery'

describe('an expired session in the example', { skip: withoutBrowser }, () => {
  let example: ExampleFixture
  before(async () => {
    example = await startExample()
  })
  after(() => example?.[Symbol.asyncDispose]())

  /** A user in whose profile something is entered when the session ends. */
  async function expire(t: EndOfTest, name: string) {
    const { service, tenant } = example
    const email = `${name}@example.com`
    await service.admin.createUser(tenant, { email, password, profile: { firstName: name } })
    const page = await example.open(t)
    const firstName = page.getByLabel('First name', { exact: true })
    const save = () => page.getByRole('button', { name: 'Save changes' }).click()
    await example.signIn(page, email, password)
    await firstName.fill('not saved')
    await endSessions(email)
    await save()
    await page.getByText('Your session has ended.').waitFor()
    return { page, email, firstName, save }
  }

  test('keeps what was entered for the same user, who can save it', async (t) => {
    const { page, email, firstName, save } = await expire(t, 'ada')
    await example.signIn(page, email, password)
    assert.equal(await firstName.inputValue(), 'not saved')
    assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [])
    await save()
    await page.getByText('Saved.', { exact: true }).waitFor()
  })

  test('shows another user their own profile', async (t) => {
    const { service, tenant } = example
    await service.admin.createUser(tenant, { email: 'eve@example.com', password, profile: { firstName: 'eve' } })
    const { page, firstName } = await expire(t, 'grace')
    await example.signIn(page, 'eve@example.com', password)
    assert.equal(await firstName.inputValue(), 'eve')
    assert.equal(await page.getByRole('button', { name: 'Discard changes' }).count(), 0)
  })

  /** The page of a new user’s account. */
  async function openAccount(t: EndOfTest, email: string) {
    await example.service.admin.createUser(example.tenant, { email, password })
    const page = await example.open(t)
    await example.signIn(page, email, password)
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    return page
  }

  /** Ends the sessions of a user from another device. */
  async function endSessions(email: string): Promise<void> {
    const { client } = example.tenant
    const { accessToken } = await client.signIn({ method: 'password', email, password })
    await client.signOut({ scope: 'all' }, { accessToken })
  }

  test('no longer asks for a proof once another tab has signed out', async (t) => {
    const page = await openAccount(t, 'mary@example.com')
    example.service.clock.advance(601_000)
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    const other = await page.context().newPage()
    await other.goto(example.url)
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByLabel('Password', { exact: true }).waitFor()
  })

  test('leaves no open question over the sign-in', async (t) => {
    const page = await openAccount(t, 'joan@example.com')
    await page.getByRole('button', { name: 'Delete your account', exact: true }).click()
    await endSessions('joan@example.com')
    await page.getByRole('dialog').locator('.danger').click()
    await page.getByText('Your session has ended.').waitFor()
    await page.getByLabel('E-mail address').click()
  })
})
