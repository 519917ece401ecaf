import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount } from '../support/expect-soon.ts'
import { addPerson } from '../support/person.ts'

describe('Ways to sign in', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('are removed until one is left', async (t) => {
    const { admin } = fixture.service
    const tenant = await fixture.service.addTenant()
    const { userId } = await addPerson(fixture.service, tenant)
    const path = { tenantId: tenant.tenantId, userId }
    await admin.updateUser(path, { emailVerified: true, phoneVerified: true })
    const idsLeft = async () => (await admin.listUserIdentities(path)).identities.map(({ id }) => id)
    const page = await fixture.open(t, `/tenants/${tenant.tenantId}/users/${userId}`, {
      viewport: { width: 390, height: 844 },
    })
    await page.getByRole('button', { name: 'Remove: Code by SMS' }).click()
    await page.getByRole('dialog').getByText('The number is removed too').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Add: Phone' }).waitFor()
    assert.deepEqual(await idsLeft(), ['password', 'email'])
    await page.getByRole('button', { name: 'Remove: Password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expectCount(page.getByRole('button', { name: /^Remove: / }), 0)
    assert.deepEqual(await idsLeft(), ['email'])
  })

  test('are not removed by an operator who only reads users', async (t) => {
    const { admin } = fixture.service
    const tenant = await fixture.service.addTenant()
    const { userId } = await addPerson(fixture.service, tenant)
    await admin.updateUser({ tenantId: tenant.tenantId, userId }, { emailVerified: true })
    const { key } = await admin.createOperator({ name: 'Ada', role: 'viewer' })
    const page = await fixture.open(t, `/tenants/${tenant.tenantId}/users/${userId}`, { key })
    await page.getByText('Code by e-mail').waitFor()
    await expectCount(page.getByRole('button', { name: /^Remove: / }), 0)
  })
})
