import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { testAdminKey } from '../support/service.ts'

/** As it is copied from a page or a messenger. */
const copied = (text: string): string => `\u200b\u202a${text}\u202c\u200b`

describe('a text that was copied with invisible characters around it', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('signs in, if it is a key', async (t) => {
    const page = await fixture.open(t, '/sign-in', { key: null })
    await page.getByLabel('Admin key').fill(copied(testAdminKey))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  })

  test('is the address of a new user, finds the messages to it, and leads to a tenant', async (t) => {
    const { tenantId, client } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users`)
    await page.getByRole('button', { name: 'New user' }).click()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(copied('ada@example.com'))
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor()
    for (const email of ['ada@example.com', 'eve@example.com']) await client.issueOtp({ scope: 'otp_signin', email })
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    const messages = page.getByRole('table', { name: 'Messages' })
    await messages.getByText('eve@example.com').waitFor()
    await page.getByLabel('Find an address or number').fill(copied('ada@example.com'))
    await messages.getByText('eve@example.com').waitFor({ state: 'detached' })
    await messages.getByText('ada@example.com').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText(copied(tenantId))
    await page.getByRole('option', { name: 'Test tenant' }).waitFor()
  })
})
