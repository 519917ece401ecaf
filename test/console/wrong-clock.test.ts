import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount } from '../support/expect-soon.ts'

const dayMs = 86_400_000

describe('in a browser with a wrong clock', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  async function tenantWithKeys(): Promise<string> {
    const { admin, clock } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    const { id: keyId } = await admin.createTenantKey({ tenantId }, { name: 'old app' })
    await admin.revokeTenantKey({ tenantId, keyId })
    const expiresAt = new Date(clock.now() + 3 * dayMs + 60_000).toISOString()
    await admin.createTenantKey({ tenantId }, { name: 'web app', expiresAt })
    return tenantId
  }

  for (const [title, days] of [
    ['days behind', -4],
    ['days ahead', 4],
  ] as const) {
    test(`${title}, times and the states of keys are those of the server`, async (t) => {
      const tenantId = await tenantWithKeys()
      const page = await fixture.open(t, '/no-such-screen', { isNew: true, viewport: { width: 1600, height: 860 } })
      await page.clock.setFixedTime(Date.now() + days * dayMs)
      await page.goto(`${fixture.service.adminUrl}/console/tenants/${tenantId}/keys`)
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      await row('web app').getByText('Ends soon').waitFor()
      await row('web app').getByText('in 3 days').waitFor()
      await row('web app').getByText('just now').first().waitFor()
      await row('old app').getByText('Revoked', { exact: true }).waitFor()
      await expectCount(page.getByRole('button', { name: /^Actions of the key/ }), 1)
    })
  }
})
