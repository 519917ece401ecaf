import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, openField } from '../support/browser/schema-editor.ts'
import { expectInvalid, expectSoon, expectValue } from '../support/expect-soon.ts'

const schema = {
  components: [
    { name: 'ratio', type: 'number' as const, label: 'Ratio' },
    { name: 'note', type: 'text' as const, visibleWhen: { field: 'ratio', min: 3 } },
    { name: 'hint', type: 'text' as const, visibleWhen: { field: 'ratio', is: 3 } },
  ],
}

/** Types into a field as a person does, who corrects nothing. */
async function type(field: Locator, text: string): Promise<void> {
  await field.fill('')
  await field.pressSequentially(text)
  await expectValue(field, text)
  await field.blur()
}

describe('a number', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('of a profile is what was typed, also between -1 and 0', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await addTenantWithSchema(fixture, schema)
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('button', { name: 'Fill in' }).click()
    for (const text of ['-5', '1.05', '-0.5']) await type(page.getByLabel('Ratio'), text)
    await page.getByRole('button', { name: 'Save' }).click()
    const stored = async () => (await admin.readUserProfile({ tenantId, userId }))['ratio']
    await expectSoon(stored, -0.5)
  })

  test('of a profile keeps every character: what is not a number, or would be rounded, is refused', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await addTenantWithSchema(fixture, schema)
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`, { expected: [/status of 400/] })
    for (const text of ['1,5', '9007199254740993']) {
      await page.getByRole('button', { name: 'Fill in' }).click()
      await type(page.getByLabel('Ratio'), text)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Expected number, received string').waitFor()
      await expectValue(page.getByLabel('Ratio'), text)
      await page.getByRole('button', { name: 'Cancel' }).click()
    }
    await page.getByRole('button', { name: 'Fill in' }).click()
    await type(page.getByLabel('Ratio'), '1e3')
    await page.getByRole('button', { name: 'Save' }).click()
    const stored = async () => (await admin.readUserProfile({ tenantId, userId }))['ratio']
    await expectSoon(stored, 1000)
  })

  test('of a rule or a condition keeps every character: what is not a number is refused', async (t) => {
    const { path } = await addTenantWithSchema(fixture, schema)
    for (const [field, tab, label] of [
      ['ratio', 'Rules', 'At least'],
      ['note', 'Conditions', 'At least'],
      ['hint', 'Conditions', 'Value'],
    ] as const) {
      const page = await fixture.open(t, path, { expected: [/status of 400/] })
      await openField(page, field)
      await page.getByRole('tab', { name: tab }).click()
      const input = page.getByLabel(label, { exact: true })
      await type(input, '1,5')
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await expectInvalid(input)
      await expectValue(input, '1,5')
    }
  })

  test('of a rule or a condition is what was typed, also between -1 and 0', async (t) => {
    const { path, read } = await addTenantWithSchema(fixture, schema)
    const page = await fixture.open(t, path)
    await openField(page, 'ratio')
    await page.getByRole('tab', { name: 'Rules' }).click()
    await type(page.getByLabel('At least'), '-0.5')
    for (const field of ['note', 'hint']) {
      await openField(page, field)
      await page.getByRole('tab', { name: 'Conditions' }).click()
      const value = page.getByLabel(field === 'note' ? 'At least' : 'Value', { exact: true })
      for (const text of ['-5', '1.5', '-0.25']) await type(value, text)
    }
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish the next version' }).click()
    await expectSoon(async () => (await read()).version, '3')
    const [ratio, note, hint] = (await read()).components
    assert.ok(ratio?.type === 'number' && note?.type === 'text' && hint?.type === 'text')
    assert.equal(ratio.rules?.min, -0.5)
    assert.deepEqual(note.visibleWhen, { field: 'ratio', min: -0.25 })
    assert.deepEqual(hint.visibleWhen, { field: 'ratio', is: -0.25 })
  })

  test('of the settings keeps every character: what is not a whole number is refused', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { expected: [/status of 400/] })
    const digits = page.getByLabel('Digits')
    for (const [text, message] of [
      ['7,5', 'Expected number, received string'],
      ['7.5', 'Expected integer, received float'],
    ] as const) {
      await type(digits, text)
      await page.getByText('An empty field takes the default of the server.').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(message).waitFor()
      await expectValue(digits, text)
    }
    await type(digits, '8')
    await page.getByRole('button', { name: 'Save' }).click()
    const stored = async () => (await fixture.service.admin.readConfiguration({ tenantId })).otp?.length
    await expectSoon(stored, 8)
  })
})
