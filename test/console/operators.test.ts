import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { roles, type Scope } from '../../contract/scopes.ts'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import {
  expectCount,
  expectDisabled,
  expectInView,
  expectInvalid,
  expectSoon,
  expectValue,
} from '../support/expect-soon.ts'
import { refused } from '../support/refused.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')
const keyIn = async (page: Page) => {
  await page.getByText('This is the only time the key is shown').waitFor()
  return dialogOf(page).locator('code').first().innerText()
}
const act = async (page: Page, name: string, what: string) => {
  await page.getByRole('button', { name: `Actions of the operator ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

describe('the operators', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  before(async () => {
    fixture = await startConsole()
    tenantId = (await fixture.service.admin.createTenant({ name: 'Acme Shop' })).id
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const clientOf = (adminKey: string) => createTenantryAdmin({ baseUrl: fixture.service.baseUrl, adminKey })
  const stored = async (name: string) =>
    (await fixture.service.admin.listOperators({})).items.find((operator) => operator.name === name)

  test('begin with none; a new one has a role, tenants and an end, and the key is shown once', async (t) => {
    const page = await fixture.open(t, '/operators', {
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await page.getByText('No operators yet').waitFor()
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByLabel('Name').fill('Support in Paris')
    await page.getByRole('radio', { name: 'Owner' }).waitFor()
    await page.getByLabel('Auditor').check()
    await page.getByLabel('Some tenants only').check()
    await page.getByRole('combobox', { name: 'Which tenants' }).click()
    await page.getByRole('option', { name: 'Acme Shop' }).click()
    await page.keyboard.press('Escape')
    await page.getByLabel('Ends').fill('2099-12-31T23:59')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create operator' }).click()
    const key = await keyIn(page)
    await expectAccessible(page)
    assert.deepEqual((await clientOf(key).getCurrentOperator()).operator.tenantIds, [tenantId])
    await page.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Support in Paris' })
    for (const text of ['Auditor', 'Acme Shop', 'Active']) await row.getByText(text).waitFor()
    assert.equal((await stored('Support in Paris'))?.expiresAt, '2099-12-31T23:59:00.000Z')
  })

  test('lose the screens of a scope that is taken away, once the API has refused it', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const { admin } = fixture.service
    const { id: operatorId, key } = await admin.createOperator({
      name: 'Reduced',
      scopes: ['tenants:read', 'users:read', 'keys:read'],
    })
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { key, expected: [/status of 403/] })
    const users = page.getByRole('link', { name: 'Users', exact: true })
    await users.waitFor()
    await admin.updateOperator({ operatorId }, { scopes: ['tenants:read', 'keys:read'] })
    await users.click()
    await page.getByRole('alert').getByText('Missing: users:read').waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await users.waitFor({ state: 'detached' })
  })

  test('keep what they typed when a scope is taken away meanwhile', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const { admin } = fixture.service
    const scopes: Scope[] = ['tenants:read', 'users:write']
    const { id: operatorId, key } = await admin.createOperator({ name: 'Reduced while typing', scopes })
    const page = await fixture.open(t, `/tenants/${tenantId}/users`, { key, expected: [/status of 403/] })
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog', { name: 'New user' })
    const email = dialog.getByLabel('E-mail address')
    await email.fill('typed@example.com')
    await admin.updateOperator({ operatorId }, { scopes: ['tenants:read'] })
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await dialog.getByRole('alert').getByText('Missing: users:write').waitFor()
    // The operator comes back from another window, in which they asked for the scope.
    await page.evaluate(() => globalThis.dispatchEvent(new Event('visibilitychange')))
    await admin.updateOperator({ operatorId }, { scopes })
    await expectValue(email, 'typed@example.com')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('heading', { level: 1, name: 'typed@example.com' }).waitFor()
  })

  test('are granted scopes area by area', async (t) => {
    const page = await fixture.open(t, '/operators')
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByLabel('Name').fill('CI')
    await page.getByLabel('Auditor').check()
    await page.getByLabel('Own choice').check()
    await page.getByRole('radiogroup', { name: 'Configuration' }).getByText('Write').click()
    await page.getByRole('radiogroup', { name: 'Activity' }).getByText('None').click()
    await page.getByLabel('Read codes in the code inbox').check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create operator' }).click()
    await keyIn(page)
    assert.deepEqual((await stored('CI'))?.scopes.toSorted(), ['codes:read', 'configuration:write'])
  })

  test('have room for their names on every screen', async (t) => {
    await fixture.service.admin.createOperator({ name: 'Night shift of the support', role: 'support' })
    const page = await fixture.open(t, '/operators')
    const name = page.getByRole('columnheader', { name: 'Operator' })
    await name.waitFor()
    for (const width of [768, 1000, 1200]) {
      await page.setViewportSize({ width, height: 700 })
      await expectSoon(async () => (await name.boundingBox())!.width >= 240, true)
    }
  })

  test('change: only what was changed is sent', async (t) => {
    const { id } = await fixture.service.admin.createOperator({ name: 'Ada', role: 'support' })
    const page = await fixture.open(t, '/operators')
    await act(page, 'Ada', 'Change…')
    const name = page.getByLabel('Name')
    await expectValue(name, 'Ada')
    await fixture.service.admin.updateOperator({ operatorId: id }, { email: 'ada@example.com' })
    await name.fill('Ada Lovelace')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).getByText('ada@example.com').waitFor()
  })

  test('change: what another operator took away meanwhile is not granted again', async (t) => {
    const { admin } = fixture.service
    const { id: operatorId } = await admin.createOperator({ name: 'Lin', scopes: ['users:read', 'keys:read'] })
    const page = await fixture.open(t, '/operators')
    await act(page, 'Lin', 'Change…')
    await page.getByRole('radiogroup', { name: 'Messages' }).getByText('Read', { exact: true }).click()
    await admin.updateOperator({ operatorId }, { scopes: ['users:read'] })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The operator is changed.').waitFor()
    const { scopes } = await admin.getOperator({ operatorId })
    assert.deepEqual(scopes.toSorted(), ['messages:read', 'users:read'])
  })

  test('show what the server refuses, and keep what was typed', async (t) => {
    const page = await fixture.open(t, '/operators', { expected: [/status of 400/, /ERR_FAILED/] })
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByLabel('E-mail').fill('not an address')
    await page.getByRole('button', { name: 'Create operator' }).click()
    await page.getByRole('alert').getByText('VALIDATION_ERROR').waitFor()
    for (const label of ['Name', 'E-mail']) await expectInvalid(page.getByLabel(label))
    await expectValue(page.getByLabel('E-mail'), 'not an address')
    await expectAccessible(page)
    // Below what is typed, where there is no room for both.
    await page.setViewportSize({ width: 390, height: 500 })
    await page.route('**/admin/operators', (route) => route.abort())
    await page.getByLabel('Name').press('Enter')
    await expectInView(page.getByRole('alert').getByText('The server did not answer'))
  })

  test('rotate with an overlap: both keys work', async (t) => {
    const { key } = await fixture.service.admin.createOperator({ name: 'Rotated', role: 'viewer' })
    const page = await fixture.open(t, '/operators')
    await act(page, 'Rotated', 'Rotate the key…')
    await page.getByRole('dialog', { name: 'Rotate the key' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    const next = await keyIn(page)
    for (const each of [key, next]) assert.equal((await clientOf(each).getCurrentOperator()).operator.name, 'Rotated')
  })

  test('revoke after a question, and keep the last one who administers operators', async (t) => {
    const { admin } = fixture.service
    const { key } = await admin.createOperator({ name: 'Gone', role: 'viewer' })
    const { key: keeperKey } = await admin.createOperator({ name: 'Keeper', role: 'owner' })
    const page = await fixture.open(t, '/operators', { key: keeperKey, expected: [/status of 409/] })
    await act(page, 'Gone', 'Revoke…')
    await dialogOf(page).getByText('“Gone”').waitFor()
    await expectAccessible(page)
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row').filter({ hasText: 'Gone' }).getByText('Revoked').waitFor()
    await refused(clientOf(key).getCurrentOperator(), 'INVALID_ADMIN_KEY')
    await act(page, 'Keeper', 'Revoke…')
    await page.getByText('This is you: you will be signed out.').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click()
    await dialogOf(page).getByText('This is the last operator who can administer operators.').waitFor()
    await expectAccessible(page)
  })

  test('offer only what one has oneself', async (t) => {
    const { key } = await fixture.service.admin.createOperator({
      ...{ name: 'Lead', scopes: ['operators:write', ...roles.support] },
    })
    const page = await fixture.open(t, '/operators', { key })
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('radio', { name: 'Support' }).waitFor()
    await expectCount(page.getByRole('radio', { name: 'Owner' }), 0)
    await page.getByLabel('Own choice').check()
    const configuration = page.getByRole('radiogroup', { name: 'Configuration' })
    await expectDisabled(configuration.getByLabel('Write'))
    await expectAccessible(page)
  })

  test('are refused a tenant that was deleted meanwhile, and the form says which', async (t) => {
    const { admin } = fixture.service
    const { id } = await admin.createTenant({ name: 'Short Shop' })
    const page = await fixture.open(t, '/operators', { expected: [/status of 40[04]/] })
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByLabel('Name').fill('Support in Rome')
    await page.getByLabel('Some tenants only').check()
    await page.getByRole('combobox', { name: 'Which tenants' }).click()
    await page.getByRole('option', { name: 'Short Shop' }).click()
    await page.keyboard.press('Escape')
    await admin.deleteTenant({ tenantId: id })
    await page.getByRole('button', { name: 'Create operator' }).click()
    await dialogOf(page).getByText('Unknown tenant').waitFor()
    await dialogOf(page).getByText('Short Shop (deleted)').waitFor()
    await expectValue(page.getByLabel('Name'), 'Support in Rome')
  })
})
