import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import {
  addTenantWithSchema,
  fieldNames,
  fieldRow,
  openDialog,
  openField,
  previewedForm,
} from '../support/browser/schema-editor.ts'
import { expectCount, expectDisabled, expectInvalid, expectValue } from '../support/expect-soon.ts'
import { addPerson } from '../support/person.ts'

describe('Publishing a profile schema', { skip: withoutBrowser, concurrency: 3 }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('edits, drags by keyboard, checks and publishes', async (t) => {
    const { path, read } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'firstName')
    await page.getByLabel('Label', { exact: true }).fill('Given name')
    await page.getByLabel('Name', { exact: true }).fill('givenName')
    await page.keyboard.press('Enter')
    await previewedForm(page).getByLabel('Given name').waitFor()
    await fieldRow(page, 'givenName').getByRole('button', { expanded: true }).first().click()
    const grip = page.getByRole('button', { name: 'Move Given name' })
    await grip.focus()
    await page.keyboard.press('Space')
    await page.getByText('Picked up Given name.').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Given name is now at position 2 of “About you”.').waitFor()
    await page.keyboard.press('Space')
    await page.getByText('Dropped Given name at position 2 of “About you”.').waitFor()
    assert.deepEqual(await fieldNames(page), ['lastName', 'givenName', 'kind', 'vat'])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await openDialog(page, 'Publish a version').getByText('No field is lost or accepts less. ').waitFor()
    await openDialog(page, 'Publish a version').getByText('Move the value of “firstName” to “givenName”.').waitFor()
    await expectAccessible(page)
    await openDialog(page, 'Publish a version').getByRole('button', { name: 'Publish the next version' }).click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
    const schema = await read()
    assert.deepEqual(schema.migrations, [{ rename: { from: 'firstName', to: 'givenName' } }])
    assert.deepEqual(
      schema.components.map(({ name }) => name),
      ['lastName', 'givenName', 'kind', 'vat'],
    )
    assert.deepEqual(schema.components[1]?.label, { default: 'Given name', fr: 'Prénom' })
    await expectCount(page.getByText('Not published'), 0)
    await expectDisabled(page.getByRole('button', { name: 'Publish…' }))
  })

  test('publishes with the check of a server of the version before, which has no warnings', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await page.route('**/profile-schema/check', async (route) => {
      const response = await route.fetch()
      const { data, meta } = await response.json()
      await route.fulfill({ response, json: { meta, data: { ...data, warnings: undefined } } })
    })
    await openField(page, 'firstName')
    await page.getByLabel('Label', { exact: true }).fill('Given name')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await openDialog(page, 'Publish a version').getByRole('button', { name: 'Publish the next version' }).click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
  })

  test('names the profiles that would fail, by field, and publishes on a second, named button', async (t) => {
    const { path, tenant, read } = await addTenantWithSchema(fixture)
    for (const lastName of ['Lovelace', 'Li']) {
      const client = await (await addPerson(fixture.service, tenant)).client()
      await client.updateProfile({ firstName: 'Ada', lastName })
    }
    const page = await fixture.open(t, path)
    await openField(page, 'lastName')
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByLabel('At most, characters').fill('4')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = openDialog(page, 'Publish a version')
    await publish.getByText('1 of 2 profiles would fail: lastName (1).').waitFor()
    await publish.getByText('Rule maxLength changes').waitFor()
    await expectAccessible(page)
    await publish.getByLabel('Version').fill('2026-11')
    await publish.getByRole('button', { name: 'Publish although 1 profile fails' }).click()
    await page.getByText('Version 2026-11 is current.', { exact: true }).waitFor()
    assert.equal((await read()).version, '2026-11')
  })

  test('a developer, who may not read profiles, publishes without counts of profiles', async (t) => {
    const { path, tenant } = await addTenantWithSchema(fixture)
    await (await addPerson(fixture.service, tenant))
      .client()
      .then((user) => user.updateProfile({ lastName: 'Lovelace' }))
    const { key } = await fixture.service.admin.createOperator({ name: 'Developer', role: 'developer' })
    const page = await fixture.open(t, path, { key })
    await openField(page, 'lastName')
    await page.getByLabel('Label', { exact: true }).fill('Family name')
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = openDialog(page, 'Publish a version')
    await publish.getByText('No field is lost or accepts less.').waitFor()
    await publish.getByText('Stored profiles were not checked').waitFor()
    await expectAccessible(page)
    await publish.getByRole('button', { name: 'Publish the next version' }).click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
  })

  test('shows what the server refuses where it is, and keeps the draft', async (t) => {
    const { path, read } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { expected: [/status of 400/] })
    await openField(page, 'lastName')
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByLabel('Pattern', { exact: true }).fill('(')
    await page.getByRole('button', { name: 'Check' }).click()
    const check = openDialog(page, 'Check')
    await check.getByRole('button', { name: 'Last name: Pattern' }).waitFor()
    await check.getByRole('button', { name: 'Close' }).last().click()
    await fieldRow(page, 'lastName').getByRole('button', { name: 'Last name lastName 1 problem' }).waitFor()
    const pattern = page.getByLabel('Pattern', { exact: true })
    await expectValue(pattern, '(')
    await expectInvalid(pattern)
    await expectAccessible(page)
    assert.equal((await read()).version, '2')
  })

  test('publishes although something else of the tenant has changed', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { expected: [/status of 412/] })
    await fieldRow(page, 'vat').getByRole('button', { name: 'Actions of VAT number' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await fixture.service.admin.updateConfiguration({ tenantId }, { otp: { length: 8 } })
    await page.getByRole('button', { name: 'Publish…' }).click()
    await openDialog(page, 'Publish a version').getByRole('button', { name: 'Publish the next version' }).click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
  })

  test('waits for a check and for a publication as long as they take', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { isNew: true })
    await openField(page, 'lastName')
    await page.getByLabel('Label', { exact: true }).fill('Family name')
    await page.evaluate(() => {
      const { timeout } = AbortSignal
      AbortSignal.timeout = () => AbortSignal.abort(new DOMException('The time is over.', 'TimeoutError'))
      Object.assign(globalThis, { restoreTimeout: () => Object.assign(AbortSignal, { timeout }) })
    })
    await page.route('**/profile-schema', async (route) => {
      // What the page reads after the publication has its usual time.
      await page.evaluate(() => (globalThis as unknown as { restoreTimeout: () => void }).restoreTimeout())
      await route.continue()
    })
    await page.getByRole('button', { name: 'Publish…' }).click()
    await openDialog(page, 'Publish a version').getByRole('button', { name: 'Publish the next version' }).click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
  })

  test('Back asks before the draft is lost, above the open dialog, and Stay leads back to it', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { isNew: true })
    await page.getByRole('navigation').getByRole('link', { name: 'Profile schema' }).click()
    await openField(page, 'lastName')
    await page.getByLabel('Label', { exact: true }).fill('Family name')
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = openDialog(page, 'Publish a version')
    await publish.getByLabel('Version').fill('2026-11')
    await page.goBack()
    await openDialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay' }).click()
    await expectCount(openDialog(page, 'Leave without saving?'), 0)
    await expectValue(publish.getByLabel('Version'), '2026-11')
    await page.waitForURL(`**${path}`)
    // Escape is Stay, also after a click on the text.
    for (const click of [() => undefined, () => page.getByText('What you changed is not saved.').click()]) {
      await page.goBack()
      await openDialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay' }).waitFor()
      await click()
      await page.keyboard.press('Escape')
      await expectCount(openDialog(page, 'Leave without saving?'), 0)
      await expectValue(publish.getByLabel('Version'), '2026-11')
      await page.waitForURL(`**${path}`)
    }
    await page.goBack()
    await openDialog(page, 'Leave without saving?').getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  })

  test('an operator without the scope to publish sees no such button, and reads why before changing anything', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const { key } = await fixture.service.admin.createOperator({ name: 'Reader', role: 'viewer' })
    const page = await fixture.open(t, path, { key })
    await page.getByText('You may try out changes and check them, and not publish them.').waitFor()
    await page.getByRole('button', { name: 'Check' }).waitFor()
    await expectCount(page.getByRole('button', { name: 'Publish…' }), 0)
  })

  test('says why a version failed, and names the users with the same value', async (t) => {
    const { path, tenant } = await addTenantWithSchema(fixture)
    for (const lastName of ['Li', 'li']) {
      const client = await (await addPerson(fixture.service, tenant)).client()
      await client.updateProfile({ lastName })
    }
    const page = await fixture.open(t, path)
    await openField(page, 'lastName')
    await page.getByRole('tab', { name: 'Access' }).click()
    await page.getByRole('switch', { name: 'Unique' }).click({ force: true })
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = openDialog(page, 'Publish a version')
    await publish.getByText('users have the same value of a unique field: lastName (1)').waitFor()
    await publish.getByRole('button', { name: /^Publish the next version/ }).click()
    await publish.getByText('Version 3 could not be built').waitFor()
    await expectAccessible(page)
    await publish.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Not published').waitFor()
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Versions').click()
    await page.getByRole('link', { name: '3', exact: true }).click()
    const version = openDialog(page, 'Version 3')
    await version.getByText('Users with the same value').waitFor()
    await expectCount(version.getByRole('listitem').getByRole('link'), 2)
  })

  test('shows a version while it is built, and goes on from it when it is current', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture)
    const { storage, schemaBuilds } = fixture.service.service.services
    const stores = storage.forTenant(tenantId)
    const { revision, profileSchema } = (await stores.tenant.configuration())!
    const [first, ...others] = profileSchema.schema.components
    const schema = { ...profileSchema.schema, version: 'built', components: [{ ...first!, label: 'Built' }, ...others] }
    const publication = { ordinal: 3, schema, publishedAt: Date.now(), publishedBy: 'root', indexKeys: {} }
    assert.ok(await stores.tenant.startBuild({ ...publication, state: 'building' }, revision, Date.now()))
    const page = await fixture.open(t, path, { expected: [/status of 502/] })
    await page.getByText('Version built is being built').waitFor()
    await expectAccessible(page)
    await page.route('**/profile-schema', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await schemaBuilds.run()
    await page.getByText('A proxy answered in place of the server, with status 502.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await fieldRow(page, 'firstName').getByText('Built').waitFor()
    await expectCount(page.getByText('is being built'), 0)
  })
})
