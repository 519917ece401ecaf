import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, fieldRow, openDialog, openField, writeSchema } from '../support/browser/schema-editor.ts'
import { expectCount, expectValue } from '../support/expect-soon.ts'

describe('Versions of a profile schema', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('two of another page are compared, from the older to the newer one', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture, { components: [{ name: 'first', type: 'text' }] })
    for (let version = 3; version <= 53; version++) {
      const components = ['first', 'second'].map((name) => ({ name, type: 'text' as const, label: `v${version}` }))
      await fixture.service.admin.publishProfileSchema({ tenantId }, { components })
    }
    const page = await fixture.open(t, `${path}?view=versions`)
    await page.getByText('changed field second: label').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('added field second').waitFor()
    await expectValue(page.getByRole('combobox', { name: 'From' }), '2')
    await expectValue(page.getByRole('combobox', { name: 'To' }), '3')
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('changed field second: label').waitFor()
  })

  test('a draft that is started from one replaces a text that could not be read and what was checked, as Discard does', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `${path}?view=json`, { expected: [/status of 400/] })
    await writeSchema(page, {
      components: [{ name: 'nick', type: 'text' }],
      presentation: [],
      forms: { a: { fields: ['b'] } },
    })
    await page.getByRole('button', { name: 'Check' }).click()
    await openDialog(page, 'Check').locator('button', { hasText: 'Close' }).click()
    const problems = page.getByRole('region', { name: 'Problems' })
    await problems.waitFor()
    await page.getByRole('textbox', { name: 'Profile schema as JSON' }).click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(',')
    await page.getByText('This is not JSON yet').waitFor()
    const view = page.getByRole('radiogroup', { name: 'View', exact: true })
    await view.getByText('Versions').click()
    await page.getByRole('link', { name: '2', exact: true }).click()
    await openDialog(page, 'Version 2').getByRole('button', { name: 'Start a draft from it' }).click()
    await expectCount(page.getByText('This is not JSON yet'), 0)
    await expectCount(problems, 0)
    await view.getByText('JSON').click()
    await page.getByText('"firstName"').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('"nick"').waitFor()
    await page.getByRole('button', { name: 'Check' }).click()
    await openDialog(page, 'Check').locator('button', { hasText: 'Close' }).click()
    await problems.waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expectCount(problems, 0)
  })

  test('one whose name was left empty is checked again, and numbered by the server', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'lastName')
    await page.getByLabel('Label', { exact: true }).fill('Family name')
    await page.getByRole('button', { name: 'Publish…' }).click()
    const publish = openDialog(page, 'Publish a version')
    await publish.getByLabel('Version').fill('2026-11')
    await publish.getByLabel('Version').fill('')
    await publish.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await expectValue(publish.getByLabel('Version'), '')
    await publish.getByRole('button', { name: 'Publish the next version' }).click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
    await fieldRow(page, 'lastName').getByText('Family name').waitFor()
  })
})
