import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, type EndOfTest, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectValue } from '../support/expect-soon.ts'

describe('restricting and suspending a user', { skip: withoutBrowser }, () => {
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

  /** The page of a user who may not upload because of spam, and what another operator does meanwhile. */
  async function openRestricted(t: EndOfTest) {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'kim@example.com' })
    const stored = async () => (await admin.getUser({ tenantId, userId })).restrictions
    const restrict = async (reason: string) => {
      const restrictions = [{ capability: 'upload' as const, reason, until: null }]
      await admin.updateUser({ tenantId, userId }, { restrictions })
      return restrictions
    }
    await restrict('Spam')
    return { page: await fixture.open(t, `/tenants/${tenantId}/users/${userId}`), restrict, stored }
  }

  test('says that another operator changed the same restriction while the dialog was open, before it replaces it', async (t) => {
    const { page, restrict, stored } = await openRestricted(t)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Restrict' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Uploading files').uncheck()
    const changed = await restrict('Fraud')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Changed meanwhile: Uploading files (“Fraud”).').waitFor()
    assert.deepEqual(await stored(), changed)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The restrictions are saved').waitFor()
    assert.deepEqual(await stored(), [])
  })

  test('does not lift a restriction for another reason before it is read', async (t) => {
    const { page, restrict, stored } = await openRestricted(t)
    await page.getByRole('status').getByText('Spam').waitFor()
    const changed = await restrict('Fraud')
    const lift = page.getByRole('button', { name: 'Lift all restrictions' })
    await lift.click()
    await page.getByRole('alert').getByText('The restrictions were changed meanwhile').waitFor()
    assert.deepEqual(await stored(), changed)
    await page.getByRole('status').getByText('Fraud').waitFor()
    await lift.click()
    await page.getByText('The restrictions are lifted').waitFor()
    assert.deepEqual(await stored(), [])
  })

  test('a reason that is changed moves no end, which the form shows to the minute', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'kim@example.com' })
    const until = '2099-01-02T03:04:05.678Z'
    const upload = { capability: 'upload' as const, reason: 'Spam', until }
    await admin.updateUser({ tenantId, userId }, { restrictions: [upload] })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Restrict' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Spam pictures')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('The restrictions are saved').waitFor()
    const { restrictions } = await admin.getUser({ tenantId, userId })
    assert.deepEqual(restrictions, [{ ...upload, reason: 'Spam pictures' }])
  })

  test('lifts the restrictions that are shown, not one that another operator added meanwhile', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'kim@example.com' })
    const upload = { capability: 'upload' as const, reason: 'Spam', until: null }
    await admin.updateUser({ tenantId, userId }, { restrictions: [upload] })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('status').getByText('Spam').waitFor()
    const signIn = { capability: 'sign_in' as const, reason: 'Fraud', until: null }
    await admin.updateUser({ tenantId, userId }, { restrictions: [signIn, upload] })
    await page.getByRole('button', { name: 'Lift all restrictions' }).click()
    await page.getByText('The restrictions are lifted').waitFor()
    assert.deepEqual((await admin.getUser({ tenantId, userId })).restrictions, [signIn])
    await page.getByRole('status').getByText('Fraud').waitFor()
    await expectCount(page.getByRole('status').getByText('Spam'), 0)
  })

  test('does not lift a suspension for another reason before it is read', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'kim@example.com' })
    await admin.updateUser({ tenantId, userId }, { suspension: { reason: 'Late payment' } })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('status').getByText('Late payment').waitFor()
    await admin.updateUser({ tenantId, userId }, { suspension: { reason: 'Fraud' } })
    const lift = page.getByRole('button', { name: 'Lift the suspension' })
    await lift.click()
    await page.getByRole('alert').getByText('The suspension was changed meanwhile').waitFor()
    assert.equal((await admin.getUser({ tenantId, userId })).suspension?.reason, 'Fraud')
    await page.getByRole('status').getByText('Fraud').waitFor()
    await lift.click()
    await page.getByText('The suspension is lifted').waitFor()
    assert.equal((await admin.getUser({ tenantId, userId })).suspension, null)
  })

  test('says that another operator suspended the user while the dialog was open, before it replaces why', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'kim@example.com' })
    const reasonNow = async () => (await admin.getUser({ tenantId, userId })).suspension?.reason
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog')
    const suspend = dialog.getByRole('button', { name: 'Suspend user' })
    await dialog.getByLabel('Reason').fill('Late payment')
    await admin.updateUser({ tenantId, userId }, { suspension: { reason: 'Fraud' } })
    await suspend.click()
    await dialog.getByRole('alert').getByText('The user was suspended meanwhile: “Fraud”.').waitFor()
    await expectValue(dialog.getByLabel('Reason'), 'Late payment')
    assert.equal(await reasonNow(), 'Fraud')
    await suspend.click()
    await page.getByText('The user is suspended').waitFor()
    assert.equal(await reasonNow(), 'Late payment')
  })

  test('a refusal of a value that a dialog does not have is said, and what was typed stays', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`, { expected: [/status of 400/] })
    const refuse = (field: string) => {
      const meta = { requestId: 'r1', timestamp: '2026-11-22T10:00:00.000Z' }
      const error = { status: 400, code: 'VALIDATION_ERROR', message: 'Refused', validation: { [field]: 'Unknown' } }
      return page.route('**/users/*', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status: 400, json: { meta, error } }) : route.continue(),
      )
    }
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByLabel('Reason').fill('Fraud')
    await refuse('suspension.kind')
    await dialog.getByRole('button', { name: 'Suspend user' }).click()
    await dialog.getByRole('alert').getByText('VALIDATION_ERROR').waitFor()
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Suspend user' }).click()
    await page.getByText('The user is suspended').waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Restrict' }).click()
    await dialog.getByLabel('Changing the profile').check()
    await dialog.getByLabel('Reason').fill('Spam')
    await refuse('restrictions.0.capability')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('VALIDATION_ERROR').waitFor()
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The restrictions are saved').waitFor()
    const { suspension, restrictions } = await admin.getUser({ tenantId, userId })
    assert.equal(suspension?.reason, 'Fraud')
    assert.deepEqual(restrictions, [{ capability: 'profile_update', reason: 'Spam', until: null }])
  })
})
