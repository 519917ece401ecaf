import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount } from '../support/expect-soon.ts'

const expected = [/status of 4(04|22)/]

describe('what is gone when an operator acts on it', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  async function revoke(page: Page, kind: string): Promise<void> {
    await page.getByRole('button', { name: `Actions of the ${kind} web app` }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).waitFor()
  }

  test('a key that another operator has revoked is shown as revoked', async (t) => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    const { id: keyId } = await admin.createTenantKey({ tenantId }, { name: 'web app' })
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { expected })
    await revoke(page, 'key')
    await admin.revokeTenantKey({ tenantId, keyId })
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByText('TENANT_KEY_NOT_FOUND').waitFor()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectCount(page.getByRole('button', { name: /^Actions of the key/ }), 0)
  })

  test('an operator that another one has revoked is shown as revoked', async (t) => {
    const { admin } = fixture.service
    const { id: operatorId } = await admin.createOperator({ name: 'web app', role: 'viewer' })
    const page = await fixture.open(t, '/operators', { expected })
    await revoke(page, 'operator')
    await admin.revokeOperator({ operatorId })
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByText('OPERATOR_NOT_FOUND').waitFor()
    await page.getByText('Revoked', { exact: true }).waitFor()
  })

  test('the page of a user that another operator has deleted says so', async (t) => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`, { expected })
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Fraud')
    await admin.deleteUser({ tenantId, userId })
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('heading', { name: 'User not found' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})
