import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectValue } from '../support/expect-soon.ts'

describe('the same screen of another tenant', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let oneId: string
  let otherId: string
  before(async () => {
    fixture = await startConsole()
    oneId = (await fixture.service.addTenant()).tenantId
    otherId = (await fixture.service.addTenant()).tenantId
    await fixture.service.admin.updateTenant({ tenantId: otherId }, { name: 'The other one' })
    await fixture.service.admin.createUser({ tenantId: oneId }, { email: 'kim@example.com' })
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  async function switchTenant(page: Page): Promise<void> {
    const switcher = page.getByRole('navigation').getByRole('combobox', { name: 'Tenant' })
    await switcher.fill('The other')
    await page.getByRole('option', { name: 'The other one' }).click()
  }

  async function leaveDraft(page: Page): Promise<void> {
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    await switchTenant(page)
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(`**/tenants/${otherId}/*`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  test('does not take over settings that were not saved', async (t) => {
    const page = await fixture.open(t, `/tenants/${oneId}/sign-in`)
    await page.getByLabel('Digits').fill('8')
    await leaveDraft(page)
    await expectValue(page.getByLabel('Digits'), '6')
    await expectCount(page.getByRole('region', { name: 'Unsaved changes' }), 0)
  })

  test('does not take over a configuration that was not saved', async (t) => {
    const page = await fixture.open(t, `/tenants/${oneId}/configuration`)
    const text = page.getByRole('textbox', { name: 'Configuration as JSON' })
    await text.fill('{ "own": { "of": "one" } }')
    await leaveDraft(page)
    await text.getByText('"auth"').waitFor()
    await expectCount(page.getByRole('region', { name: 'Unsaved changes' }), 0)
  })

  test('does not show the users of the tenant before while its own are read', async (t) => {
    const page = await fixture.open(t, `/tenants/${oneId}/users`)
    await page.getByText('kim@example.com').waitFor()
    const answers = Promise.withResolvers<void>()
    await page.route(`**/admin/tenants/${otherId}/users?*`, async (route) => {
      await answers.promise
      await route.continue()
    })
    await switchTenant(page)
    await page.locator('main .mantine-Skeleton-root').first().waitFor()
    await expectCount(page.getByText('kim@example.com'), 0)
    answers.resolve()
    await page.getByText('No users yet').waitFor()
  })
})
