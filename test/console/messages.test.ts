import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PermanentFailure, type Provider, TemporaryFailure } from '../../server/delivery/provider.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { drain } from '../support/delivery/sending-service.ts'
import { expectCount, expectInView, expectSearch, expectSoon, expectValue } from '../support/expect-soon.ts'

let failure: Error | null = null
const smtp: Provider = {
  name: 'smtp',
  method: 'email',
  send: async () => {
    if (failure !== null) throw failure
  },
  async close() {},
}

describe('Messages', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole({ environment: 'production', deploymentProviders: [smtp] })
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** A tenant whose messages to these addresses end like this. */
  async function tenantWith(ends: Readonly<Record<string, Error | null>>) {
    const tenant = await fixture.service.addTenant()
    for (const [email, end] of Object.entries(ends)) {
      failure = end
      await tenant.client.issueOtp({ scope: 'otp_signin', email })
      await drain(fixture.service)
    }
    failure = null
    return `/tenants/${tenant.tenantId}/messages`
  }

  const rows = (page: Page) => page.getByRole('table', { name: 'Messages' }).locator('tbody tr')

  test('a failed message says why, and is sent when it is retried', async (t) => {
    const refused = new PermanentFailure('550 no such mailbox')
    const page = await fixture.open(t, await tenantWith({ 'ada@example.com': null, 'lost@example.com': refused }))
    const lost = rows(page).filter({ hasText: 'lost@example.com' })
    await lost.getByText('smtp: 550 no such mailbox').waitFor()
    await lost.getByText('Sign-in code · E-mail · English').waitFor()
    await page.getByRole('navigation').getByText('1 failed').waitFor()
    await expectAccessible(page)
    await lost.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('The message is queued again').waitFor()
    await drain(fixture.service)
    await page.reload()
    await lost.getByText('Sent', { exact: true }).waitFor()
    await expectCount(page.getByText('1 failed'), 0)
  })

  test('filters are part of the address and survive a reload', async (t) => {
    const refused = new PermanentFailure('550 no such mailbox')
    const page = await fixture.open(t, await tenantWith({ 'ada@example.com': null, 'lost@example.com': refused }))
    await rows(page).nth(1).waitFor()
    await page.getByRole('definition').getByRole('link', { name: '1' }).click()
    await rows(page).filter({ hasText: 'ada@example.com' }).waitFor({ state: 'detached' })
    await expectSearch(page, '?state=failed')
    await page.reload()
    await rows(page).filter({ hasText: 'lost@example.com' }).waitFor()
    await expectValue(page.getByLabel('State'), 'failed')
    await page.getByLabel('Find an address or number').fill('nobody@example.com')
    await page.getByText('No message matches').waitFor()
    await expectSoon(() => new URL(page.url()).searchParams.get('recipient'), 'nobody@example.com')
  })

  test('a message on its way is followed on the page of its user', async (t) => {
    const path = await tenantWith({ 'slow@example.com': new TemporaryFailure('connection refused') })
    const tenantId = path.split('/')[2]!
    const { id } = await fixture.service.admin.createUser({ tenantId }, { email: 'slow@example.com' })
    const page = await fixture.open(t, '/no-such-screen', { isNew: true })
    await page.clock.install()
    await page.goto(`${fixture.service.adminUrl}/console/tenants/${tenantId}/users/${id}`)
    const messages = page.getByRole('list', { name: 'Latest messages' })
    await messages.getByText('Queued').waitFor()
    fixture.service.clock.advance(60_000)
    await drain(fixture.service)
    await page.clock.runFor(5_000)
    await messages.getByText('Sent', { exact: true }).waitFor()
  })

  test('a retry that comes too late shows why', async (t) => {
    const path = await tenantWith({ 'late@example.com': new PermanentFailure('550 no') })
    const page = await fixture.open(t, path, { expected: [/status of 422/] })
    const retry = page.getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    fixture.service.clock.advance(601_000)
    // As far down as the last row of a long list.
    await retry.evaluate((button) => {
      button.closest('tr')!.style.height = '3000px'
    })
    await retry.click()
    await expectInView(page.getByRole('alert').getByText('MESSAGE_NOT_RETRYABLE'))
  })

  test('an expired message says so in place of a retry that would be refused', async (t) => {
    const path = await tenantWith({ 'late@example.com': new PermanentFailure('550 no') })
    const page = await fixture.open(t, '/no-such-screen', { isNew: true })
    const date = new Date(fixture.service.clock.now() + 660_000).toUTCString()
    await page.route('**/admin/**', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, headers: { ...response.headers(), date } })
    })
    await page.goto(`${fixture.service.adminUrl}/console${path}`)
    await rows(page).getByText('expired 1 minute ago').waitFor()
    await expectCount(page.getByRole('button', { name: 'Retry' }), 0)
    await expectAccessible(page)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('names the sender that is skipped, on a phone too', async (t) => {
    const down = new TemporaryFailure('connection refused')
    const ends = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}@example.com`, down]))
    const path = await tenantWith(ends)
    const page = await fixture.open(t, path, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await page.getByText('Senders that fail').waitFor()
    await page.getByRole('status').getByText('connection refused').waitFor()
    await rows(page).nth(4).getByText('Queued').waitFor()
    await page.getByText('the oldest queued').waitFor()
    await expectAccessible(page)
  })
})
