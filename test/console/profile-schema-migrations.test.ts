import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, editedSchema, writeSchema } from '../support/browser/schema-editor.ts'
import { expectValue } from '../support/expect-soon.ts'

describe('Values in migrations of a profile schema', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** The steps of a draft; the schema is that of `editedSchema`. */
  async function openMigrations(t: Parameters<ConsoleFixture['open']>[0]) {
    const { path } = await addTenantWithSchema(fixture)
    return fixture.open(t, `${path}?view=migrations`)
  }

  test('a default value is what is typed, key by key', async (t) => {
    const page = await openMigrations(t)
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('menuitem', { name: 'Set a value where there is none' }).click()
    const value = page.getByLabel('Value', { exact: true })
    for (const [typed, meant] of [
      ['1.05', '1.05'],
      ['-0.5', '-0.5'],
      ['12 months', '"12 months"'],
      ['true story', '"true story"'],
      ['["a", "b"]', '["a","b"]'],
      ['12345678901234567890', '"12345678901234567890"'],
    ] as const) {
      await value.fill('')
      await value.pressSequentially(typed)
      await expectValue(value, typed)
      await page.getByText(`Set “firstName” to ${meant} where it has no value.`).waitFor()
    }
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectValue(value, '')
  })

  test('a number stays one while a decimal is typed after it, and is a text rather than rounded', async (t) => {
    const page = await openMigrations(t)
    const view = page.getByRole('radiogroup', { name: 'View', exact: true })
    await view.getByText('JSON').click()
    await writeSchema(page, { ...editedSchema, migrations: [{ map: { field: 'kind', values: { private: 1 } } }] })
    await view.getByText('Migrations').click()
    const value = page.getByLabel('New value of private')
    await value.press('End')
    await value.pressSequentially('.05')
    await expectValue(value, '1.05')
    await view.getByText('JSON').click()
    await page.getByRole('textbox', { name: 'Profile schema as JSON' }).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.locator('.cm-line', { hasText: /"private": 1\.05$/ }).waitFor()
    await view.getByText('Migrations').click()
    await value.fill('9007199254740993')
    await view.getByText('JSON').click()
    await page.getByRole('textbox', { name: 'Profile schema as JSON' }).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.locator('.cm-line', { hasText: /"private": "9007199254740993"$/ }).waitFor()
  })

  test('a new value of a field that takes numbers is a number', async (t) => {
    const components = [{ name: 'level', type: 'integer' as const }]
    const { path } = await addTenantWithSchema(fixture, { components })
    const page = await fixture.open(t, `${path}?view=migrations`)
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('menuitem', { name: 'Replace values' }).click()
    await page.getByLabel('Another stored value').fill('1')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('New value of 1').fill('10')
    await page.getByRole('radiogroup', { name: 'View', exact: true }).getByText('JSON').click()
    await page.locator('.cm-line', { hasText: /"1": 10$/ }).waitFor()
  })
})
