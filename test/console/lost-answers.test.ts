import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { loseAnswer } from '../support/browser/lose-answer.ts'
import { addTenantWithSchema, openDialog, openField } from '../support/browser/schema-editor.ts'
import { expectCount, expectSoon, expectValue } from '../support/expect-soon.ts'
import { addPerson } from '../support/person.ts'

const expected = [/ERR_CONNECTION_RESET/, /status of 404/]
const noAnswer = 'The server did not answer'

describe('an act that succeeds while its answer is lost', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** Opens the dialog of an act on what is named, loses the answer, and says that it was lost. */
  async function actUnanswered(page: Page, [of, item, button]: readonly [string, string, string], method = 'POST') {
    await page.getByRole('button', { name: `Actions of the ${of}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
    // A removal is repeated by itself.
    await loseAnswer(page, method, method === 'DELETE' ? 2 : 1)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await dialog.getByText(noAnswer).waitFor()
    return dialog
  }

  test('rotates a key of a tenant once, and shows the new one', async (t) => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    await admin.createTenantKey({ tenantId }, { name: 'web app' })
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { expected })
    const dialog = await actUnanswered(page, ['key web app', 'Rotate…', 'Rotate'])
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('This is the only time the key is shown').waitFor()
    assert.equal((await admin.listTenantKeys({ tenantId })).items.length, 2)
  })

  test('rotates the key of an operator once, and shows the new one', async (t) => {
    const { admin } = fixture.service
    await admin.createOperator({ name: 'deployer', role: 'viewer' })
    const page = await fixture.open(t, '/operators', { expected })
    const dialog = await actUnanswered(page, ['operator deployer', 'Rotate the key…', 'Rotate'])
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('This is the only time the key is shown').waitFor()
    const rotations = async () => (await admin.listDeploymentEvents({ type: 'operator.rotated' })).items.length
    await fixture.service.service.services.events.drain()
    await expectSoon(rotations, 1)
  })

  test('revokes a key, and says so when it is pressed again', async (t) => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    await admin.createTenantKey({ tenantId }, { name: 'web app' })
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { expected })
    const dialog = await actUnanswered(page, ['key web app', 'Revoke…', 'Revoke'], 'DELETE')
    await page.getByText('Revoked', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The key is revoked.').waitFor()
    await dialog.waitFor({ state: 'detached' })
  })

  test('ends a session, and says so when it is pressed again', async (t) => {
    const tenant = await fixture.service.addTenant()
    const person = await addPerson(fixture.service, tenant)
    await person.signIn()
    const page = await fixture.open(t, `/tenants/${tenant.tenantId}/users/${person.userId}`, { expected })
    const end = page.getByRole('button', { name: 'End the session on' })
    await end.waitFor()
    await loseAnswer(page, 'DELETE', 2)
    await end.click()
    await page.getByText(noAnswer).waitFor()
    await page.getByText('Signed in nowhere').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The session is ended').waitFor()
    await expectCount(page.getByRole('alert'), 0)
  })

  test('deletes a user, and says so', async (t) => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`, { expected })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('ada@example.com')
    await loseAnswer(page, 'DELETE')
    await page.getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('ada@example.com is deleted').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  })

  test('deletes a tenant, and says so', async (t) => {
    const { id } = await fixture.service.admin.createTenant({ name: 'Acme Shop' })
    const page = await fixture.open(t, `/tenants/${id}`, { expected })
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Acme Shop')
    await loseAnswer(page, 'DELETE')
    await page.getByRole('button', { name: 'Delete tenant' }).click()
    await page.getByText('The tenant is deleted').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
  })

  test('suspends a user, and the page shows it', async (t) => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`, { expected })
    await page.getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Fraud')
    await loseAnswer(page, 'PATCH')
    await dialog.getByRole('button', { name: 'Suspend user' }).click()
    await dialog.getByText(noAnswer).waitFor()
    await expectValue(dialog.getByLabel('Reason'), 'Fraud')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Lift the suspension' }).waitFor()
  })

  test('creates a tenant, although the key is refused: the list shows it', async (t) => {
    const page = await fixture.open(t, '/tenants', { expected: [/status of 429/] })
    await page.getByRole('button', { name: 'New tenant' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Lost Shop')
    const refuse = {
      status: 429,
      json: { error: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests', status: 429 } },
    }
    await page.route('**/keys', (route) => route.fulfill(refuse), { times: 1 })
    await dialog.getByRole('button', { name: 'Create tenant' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Lost Shop' }).waitFor()
  })

  test('creates one tenant when the answer or the key is lost, and another name is typed before the next attempt', async (t) => {
    const page = await fixture.open(t, '/tenants', { expected })
    await page.getByRole('button', { name: 'New tenant' }).first().click()
    const dialog = page.getByRole('dialog')
    await loseAnswer(page, 'POST')
    for (const name of ['Wrong Name', 'Other Name', 'Right Name']) {
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByRole('button', { name: 'Create tenant' }).click()
      if (name === 'Right Name') break
      await dialog.getByText(noAnswer).waitFor()
      if (name === 'Wrong Name') await page.route('**/keys', (route) => route.abort('connectionreset'), { times: 1 })
    }
    await page.getByText('This is the only time the key is shown').waitFor()
    const { items } = await fixture.service.admin.listTenants({})
    const names = items.map((tenant) => tenant.name).filter((name) => / Name$/.test(name))
    assert.deepEqual(names, ['Right Name'])
  })

  test('publishes a profile schema, and says so when it is pressed again', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { expected: [...expected, /status of 412/] })
    await openField(page, 'firstName')
    await page.getByLabel('Label', { exact: true }).fill('Given name')
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = openDialog(page, 'Publish a version')
    const publish = dialog.getByRole('button', { name: 'Publish the next version' })
    await publish.click({ trial: true })
    await loseAnswer(page, 'PUT')
    await publish.click()
    await dialog.getByText(noAnswer).waitFor()
    await publish.click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
    await expectCount(page.getByRole('dialog'), 0)
  })
})
