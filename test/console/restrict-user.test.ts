import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'

describe('restricting a user', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('keeps what another operator restricted while the dialog was open', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'kim@example.com' })
    const until = '2099-01-02T03:04:05.678Z'
    const upload = { capability: 'upload' as const, reason: 'Spam pictures', until }
    await admin.updateUser({ tenantId, userId }, { restrictions: [upload] })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Restrict' }).click()
    await page.getByRole('dialog').getByLabel('Changing the profile').check()
    const signIn = { capability: 'sign_in' as const, reason: 'Fraud', until: null }
    await admin.updateUser({ tenantId, userId }, { restrictions: [signIn, upload] })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('The restrictions are saved').waitFor()
    const { restrictions } = await admin.getUser({ tenantId, userId })
    const profile = { capability: 'profile_update', reason: null, until: null }
    assert.deepEqual(restrictions, [signIn, profile, upload])
    await page.getByRole('status').getByText('Fraud').waitFor()
  })
})
