import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { loseAnswer } from '../support/browser/lose-answer.ts'
import { addTenantWithSchema } from '../support/browser/schema-editor.ts'
import { expectFocused, expectInView, expectInvalid, expectValue } from '../support/expect-soon.ts'

const schema = {
  components: [
    { name: 'firstName', type: 'text' as const, label: 'First name', rules: { maxLength: 10 } },
    { name: 'plan', type: 'select' as const, label: 'Plan', options: [{ value: 'pro', label: 'Professional' }] },
    { name: 'note', type: 'text' as const, label: 'Note', writable: false },
  ],
}

describe('The profile of a user', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  async function newUser(profile: Record<string, unknown>) {
    const { admin } = fixture.service
    const { tenantId } = await addTenantWithSchema(fixture, schema)
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com', profile })
    const userPath = { tenantId, userId }
    return {
      userPath,
      path: `/tenants/${tenantId}/users/${userId}`,
      profile: () => admin.readUserProfile(userPath),
    }
  }

  test('edits the profile by the schema; refused values show their message and stay', async (t) => {
    const { path, profile } = await newUser({ firstName: 'Ada' })
    const page = await fixture.open(t, path, { expected: [/status of 400/] })
    await page.getByText('Show 2 empty fields').click()
    await page.getByText('Hide empty fields').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('A name that is too long')
    // Users cannot change it, operators can.
    await page.getByLabel('Note').fill('Slow payer')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Validation rule not met (maxLength: 10)').waitFor()
    await expectFocused(page.getByLabel('First name'))
    await expectAccessible(page)
    assert.equal((await profile())['note'], null)
    await page.getByLabel('First name').fill('Augusta')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile is saved').waitFor()
    await page.getByText('Slow payer').waitFor()
    const stored = await profile()
    assert.deepEqual([stored['firstName'], stored['note'], stored['plan']], ['Augusta', 'Slow payer', null])
  })

  test('shows a field that is required since a schema was published meanwhile', async (t) => {
    const { path, userPath, profile } = await newUser({ firstName: 'Ada' })
    const page = await fixture.open(t, path, { expected: [/status of 400/] })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Augusta')
    const vat = { name: 'vat', type: 'text' as const, label: 'VAT number' }
    const requiredWhen = { field: 'firstName', is: 'Augusta' }
    await fixture.service.admin.publishProfileSchema(userPath, {
      components: [...schema.components, { ...vat, requiredWhen }],
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await expectFocused(page.getByLabel('VAT number'))
    await expectInvalid(page.getByLabel('VAT number'))
    await expectValue(page.getByLabel('First name'), 'Augusta')
    await page.getByLabel('VAT number').fill('FR1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile is saved').waitFor()
    const { firstName, vat: stored } = await profile()
    assert.deepEqual([firstName, stored], ['Augusta', 'FR1'])
  })

  test('says what is not saved, because a schema without the field was published meanwhile', async (t) => {
    const { path, userPath, profile } = await newUser({ firstName: 'Ada' })
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Augusta')
    await page.getByLabel('Note').fill('Slow payer')
    await fixture.service.admin.publishProfileSchema(userPath, {
      components: [{ ...schema.components[0]!, name: 'givenName', label: 'Given name' }, ...schema.components.slice(1)],
      migrations: [{ rename: { from: 'firstName', to: 'givenName' } }],
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await expectInView(page.getByText('these fields are gone: firstName: "Augusta"'))
    await expectValue(page.getByLabel('Given name'), 'Ada')
    await expectValue(page.getByLabel('Note'), 'Slow payer')
    await expectAccessible(page)
    await page.getByLabel('Given name').fill('Augusta')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile is saved').waitFor()
    const { givenName, note } = await profile()
    assert.deepEqual([givenName, note], ['Augusta', 'Slow payer'])
  })

  test('saves although a condition hides a field that was typed before', async (t) => {
    const { path, userPath } = await newUser({ firstName: 'Ada' })
    await fixture.service.admin.publishProfileSchema(userPath, {
      components: schema.components.map((one) =>
        one.name === 'note' ? { ...one, visibleWhen: { field: 'firstName', is: 'Ada' } } : one,
      ),
    })
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Note').fill('Slow payer')
    await page.getByLabel('First name').fill('Augusta')
    await page.getByLabel('Note').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile is saved').waitFor()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
  })

  test('a change by another operator is not overwritten: both are kept until the operator chooses', async (t) => {
    const { path, userPath, profile } = await newUser({ firstName: 'Ada' })
    // The form has no room in it.
    const page = await fixture.open(t, path, {
      expected: [/status of 412/],
      viewport: { width: 1280, height: 430 },
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Mine')
    await fixture.service.admin.updateUserProfile(userPath, { firstName: 'Theirs', note: 'Theirs too' })
    await page.getByRole('button', { name: 'Save' }).click()
    const message = page.getByText('This profile was changed meanwhile')
    await expectInView(message)
    await expectAccessible(page)
    await expectValue(page.getByLabel('First name'), 'Mine')
    await page.getByRole('button', { name: 'Show theirs' }).click()
    await message.waitFor({ state: 'detached' })
    await expectValue(page.getByLabel('First name'), 'Theirs')
    await page.getByLabel('First name').fill('Mine again')
    await fixture.service.admin.updateUserProfile(userPath, { note: 'Newer' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('The profile is saved').waitFor()
    const stored = await profile()
    assert.deepEqual([stored['firstName'], stored['note']], ['Mine again', 'Newer'])
  })

  test('a save whose answer was lost is a success when it is repeated', async (t) => {
    const { path, profile } = await newUser({ firstName: 'Ada', note: 'Old' })
    const page = await fixture.open(t, path, { expected: [/ERR_CONNECTION_RESET/, /status of 412/] })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Augusta')
    await page.getByLabel('Note').fill('')
    await loseAnswer(page, 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The server did not answer').waitFor()
    assert.equal((await profile())['firstName'], 'Augusta')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile is saved').waitFor()
    await page.getByText('Augusta', { exact: true }).waitFor()
  })

  describe('on a phone, where little of the form is in view', () => {
    async function editOnPhone(t: Parameters<ConsoleFixture['open']>[0], expected: RegExp) {
      const { path, userPath } = await newUser({ firstName: 'Ada', note: 'Old' })
      const page = await fixture.open(t, path, { viewport: { width: 390, height: 844 }, expected: [expected] })
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('First name').fill('Augusta')
      await page.locator('form').evaluate((form) => {
        window.scrollBy(0, form.getBoundingClientRect().top - window.innerHeight + 80)
      })
      return { page, userPath }
    }

    test('why a save failed is in view', async (t) => {
      const { page } = await editOnPhone(t, /ERR_CONNECTION_RESET/)
      await loseAnswer(page, 'PATCH')
      await page.getByRole('button', { name: 'Save' }).click()
      await expectInView(page.getByRole('alert'))
    })

    test('that another operator changed the profile is in view', async (t) => {
      const { page, userPath } = await editOnPhone(t, /status of 412/)
      await fixture.service.admin.updateUserProfile(userPath, { note: 'Theirs' })
      await page.getByRole('button', { name: 'Save' }).click()
      await expectInView(page.getByRole('alert'))
    })
  })

  test('what is typed while it is saved is kept', async (t) => {
    const { path, profile } = await newUser({ firstName: 'Ada', note: 'Old' })
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Augusta')
    const typed = Promise.withResolvers<void>()
    await page.route('**/profile', (route) => typed.promise.then(() => route.continue()))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Note').fill('New')
    typed.resolve()
    await page.getByText('The profile is saved').waitFor()
    await expectValue(page.getByLabel('First name'), 'Augusta')
    await expectValue(page.getByLabel('Note'), 'New')
    assert.equal((await profile())['note'], 'Old')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    const stored = await profile()
    assert.deepEqual([stored['firstName'], stored['note']], ['Augusta', 'New'])
  })

  test('asks before a changed profile is left', async (t) => {
    const { path } = await newUser({ firstName: 'Ada' })
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Augusta')
    await page.getByRole('link', { name: 'Users' }).first().click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await expectValue(page.getByLabel('First name'), 'Augusta')
    await page.getByRole('link', { name: 'Users' }).first().click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  })

  test('shows a value of an earlier version as it is stored', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    const publish = (type: 'text' | 'datetime') =>
      admin.publishProfileSchema({ tenantId }, { components: [{ name: 'visit', type, label: 'Visit' }] })
    await publish('text')
    const { id } = await admin.createUser({ tenantId }, { email: 'ada@example.com', profile: { visit: 'next week' } })
    await publish('datetime')
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${id}`)
    await page.getByRole('definition').getByText('next week', { exact: true }).waitFor()
  })
})
