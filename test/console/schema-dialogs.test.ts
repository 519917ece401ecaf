import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { choose, expectDialog, press } from '../support/browser/expect-dialog.ts'
import { addTenantWithSchema, editedSchema, fieldRow, openDialog, openField } from '../support/browser/schema-editor.ts'
import { expectCount, expectDisabled } from '../support/expect-soon.ts'

describe('every dialog of the profile schema', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('is accessible, fits, and has the focus', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { expected: [/status of 412/] })
    await fieldRow(page, 'vat').waitFor()
    const menu = 'Actions of VAT number'
    for (const dialog of [
      { name: 'Add a field', focus: 'Label', open: press('Add a field'), returns: 'Add a field' },
      { name: 'Add a section', focus: 'Title', open: press('Add a section'), returns: 'Add a section' },
      { name: 'Check', focus: 'Close', open: press('Check'), returns: 'Check' },
      { name: 'Remove “VAT number”?', focus: 'Close', open: choose(menu, 'Remove…'), returns: menu },
    ])
      await expectDialog(page, dialog)
    await choose(menu, 'Duplicate')(page)
    await expectDialog(page, {
      ...{ name: 'Publish a version', focus: 'Close', open: press('Publish…'), returns: 'Publish…' },
    })
    await fixture.service.admin.publishProfileSchema({ tenantId }, { ...editedSchema, presentation: [] })
    await expectDialog(page, {
      ...{ name: 'Another operator published version 3', focus: 'Close', returns: 'Publish…' },
      async open() {
        await press('Publish…')(page)
        await page.getByRole('button', { name: /^Publish the next version/ }).click()
      },
    })
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Versions').click()
    await expectDialog(page, {
      ...{ name: 'Version 1', focus: 'Close', returns: '1' },
      open: () => page.getByRole('link', { name: '1', exact: true }).click(),
    })
  })

  test('stays while a version is published, which replaces the draft', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'lastName')
    await page.getByLabel('Label', { exact: true }).fill('Family name')
    const held = Promise.withResolvers<void>()
    await page.route('**/profile-schema', async (route) => {
      if (route.request().method() === 'PUT') await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Publish…' }).click()
    const dialog = openDialog(page, 'Publish a version')
    await dialog.getByRole('button', { name: 'Publish the next version' }).click()
    await expectDisabled(dialog.getByRole('button', { name: 'Cancel' }))
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expectCount(dialog, 1)
    held.resolve()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
    await expectCount(dialog, 0)
  })
})
