import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible, expectFits } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import {
  addTenantWithSchema,
  editedSchema,
  fieldNames,
  fieldRow,
  openDialog,
  openField,
  previewedForm,
} from '../support/browser/schema-editor.ts'
import { expectCount, expectDisabled, expectSoon } from '../support/expect-soon.ts'

describe('Editing a profile schema', { skip: withoutBrowser, concurrency: 3 }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('all views can be chosen on a phone', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { viewport: { width: 360, height: 740 } })
    const views = page.getByRole('radiogroup', { name: 'View', exact: true })
    await views.waitFor()
    await expectSoon(() => views.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0)
  })

  test('the buttons below the fields say what they add on a small phone', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { viewport: { width: 320, height: 740 } })
    for (const name of ['Add a field', 'Add a section']) {
      const label = page.getByRole('button', { name }).locator('.mantine-Button-label')
      await expectSoon(() => label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0)
    }
  })

  test('drags by the mouse, moves by the menu, and takes everything back', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    const [from, to] = [page.getByRole('button', { name: 'Move First name' }), fieldRow(page, 'kind')]
    const [start, end] = [(await from.boundingBox())!, (await to.boundingBox())!]
    await page.mouse.move(start.x + 8, start.y + 8)
    await page.mouse.down()
    await page.mouse.move(start.x + 8, start.y + 40, { steps: 5 })
    await page.locator('ul[data-dragging]').waitFor()
    await page.mouse.move(start.x + 8, end.y + end.height / 2 + 8, { steps: 10 })
    await page.mouse.up()
    await page.getByText('Not published').waitFor()
    assert.deepEqual(await fieldNames(page), ['lastName', 'kind', 'firstName', 'vat'])
    await fieldRow(page, 'vat').getByRole('button', { name: 'Actions of VAT number' }).click()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    assert.deepEqual(await fieldNames(page), ['lastName', 'kind', 'vat', 'firstName'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.deepEqual(await fieldNames(page), ['firstName', 'lastName', 'kind', 'vat'])
    await expectCount(page.getByText('Not published'), 0)
  })

  test('the preview follows conditions, languages and colour schemes', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    const form = previewedForm(page)
    await form.getByLabel('First name').waitFor()
    await expectCount(form.getByLabel('VAT number'), 0)
    await form.getByRole('combobox', { name: 'Account' }).click()
    await form.getByRole('option', { name: 'firm' }).click()
    await form.getByLabel('VAT number').waitFor()
    await page.getByLabel('Language', { exact: true }).selectOption('fr')
    await form.getByLabel('Prénom').waitFor()
    await page.getByRole('button', { name: 'Right to left' }).click()
    await form.locator('html[dir=rtl]').waitFor()
    await page.getByRole('radiogroup', { name: 'Colour scheme of the preview' }).locator('label').nth(1).click()
    await form.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await expectCount(page.locator('html[data-mantine-color-scheme=light]'), 1)
  })

  test('200 fields with long and right-to-left labels fit: on a screen, on a phone and at 200 %', async (t) => {
    const long = 'What is the name of the authority that issued the document which proves your place of residence?'
    const labels = [
      long,
      'اسم الجهة التي أصدرت الوثيقة',
      'Donaudampfschifffahrtsgesellschaftskapitänswitwenrente',
      'Name',
    ]
    const fields = Array.from({ length: 200 }, (_, index) => ({
      ...{ name: `field${index}`, type: 'text' as const, label: labels[index % labels.length]! },
    }))
    const { path } = await addTenantWithSchema(fixture, { components: fields })
    const page = await fixture.open(t, path)
    await expectSoon(async () => (await fieldNames(page)).length, 200)
    await previewedForm(page).getByLabel(long).nth(49).waitFor()
    for (const [width, height] of [
      [1280, 860],
      [390, 844],
      [640, 430],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expectFits(page)
    }
    await openField(page, 'field199')
    await page.getByRole('region', { name: 'Settings of Name' }).waitFor()
  })

  test('edits the same draft as JSON, and keeps the last one that could be read', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `${path}?view=json`)
    const text = page.getByRole('textbox', { name: 'Profile schema as JSON' })
    await text.waitFor()
    await expectAccessible(page)
    const write = async (document: string) => {
      await text.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(document)
    }
    await write('{"components": [{"name": "nick", "type": "text"}]}')
    await write('{"components": [{"name": "nick", "type": "text"}, ')
    await page.getByText('This is not JSON yet').waitFor()
    const view = page.getByRole('radiogroup', { name: 'View', exact: true })
    await view.getByText('Fields').click()
    assert.deepEqual(await fieldNames(page), ['nick'])
    await view.getByText('JSON').click()
    await page.getByText('This is not JSON yet').waitFor()
    await write('{"components": [{"name": "nick"}]}')
    await page.getByText(/^components\.0\.type: must be one of/).waitFor()
  })

  test('a number in the JSON that would be rounded is refused, not changed', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `${path}?view=json`)
    const text = page.getByRole('textbox', { name: 'Profile schema as JSON' })
    await text.click()
    await page.keyboard.press('ControlOrMeta+a')
    const rules = '{"max": 9007199254740993}'
    await page.keyboard.insertText(`{"components": [\n{"name": "count", "type": "number", "rules": ${rules}}]}`)
    await page.getByText('Line 2: 9007199254740993 cannot be kept exactly').waitFor()
    await expectDisabled(page.getByRole('button', { name: 'Publish…' }))
  })

  test('neither loses nor publishes past a text that cannot be read', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `${path}?view=json`)
    const text = page.getByRole('textbox', { name: 'Profile schema as JSON' })
    const write = async (document: string) => {
      await text.click()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.insertText(document)
    }
    const unreadable = '{"components": [{"name": "nick", "type": "text"}, '
    await write(unreadable)
    await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).click()
    await openDialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay' }).click()
    await text.getByText(unreadable.trim()).waitFor()
    await write('{"components": [{"name": "nick", "type": "text"}]}')
    await page.getByRole('button', { name: 'Publish…', disabled: false }).waitFor()
    await write(unreadable)
    await expectDisabled(page.getByRole('button', { name: 'Publish…' }))
    await expectDisabled(page.getByRole('button', { name: 'Check' }))
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Discard' }).click()
    await text.getByText('"firstName"').first().waitFor()
    await expectCount(page.getByText('This is not JSON yet'), 0)
    await expectCount(page.getByText('Not published'), 0)
  })

  test('a value of a condition that is neither true nor false is refused, not read as false', async (t) => {
    const { path } = await addTenantWithSchema(fixture, {
      components: [
        { name: 'member', type: 'boolean' },
        { name: 'since', type: 'date', visibleWhen: { field: 'member', in: [true] } },
      ],
    })
    const page = await fixture.open(t, path, { expected: [/status of 400/] })
    await openField(page, 'since')
    await page.getByRole('tab', { name: 'Conditions' }).click()
    const values = page.locator('input[aria-label="Values"]')
    await values.fill('yes')
    await values.press('Enter')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('The check found a problem').last().waitFor()
    await page.getByText('yes', { exact: true }).waitFor()
  })

  test('removes a field after saying what else changes', async (t) => {
    const { path, read } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await fieldRow(page, 'kind').getByRole('button', { name: 'Actions of Account' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    const remove = openDialog(page, 'Remove “Account”?')
    await remove.getByText('when “vat” is shown').waitFor()
    await expectAccessible(page)
    await remove.getByRole('radio', { name: 'Delete them' }).check()
    await remove.getByRole('button', { name: 'Remove field' }).click()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await openDialog(page, 'Publish a version')
      .getByRole('button', { name: /with breaking changes/ })
      .click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
    const { components, migrations } = await read()
    assert.deepEqual([migrations, components.at(-1)?.visibleWhen], [[{ drop: 'kind' }], undefined])
  })

  test('asks before a changed draft is left', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'Add a field' }).click()
    const add = openDialog(page, 'Add a field')
    await add.getByLabel('Label').fill('Date of birth')
    await expectAccessible(page)
    await add.getByRole('button', { name: 'Add field' }).click()
    await fieldRow(page, 'dateOfBirth').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Keys', exact: true }).first().click()
    await openDialog(page, 'Leave without saving?').getByRole('button', { name: 'Stay' }).click()
    await expectCount(fieldRow(page, 'dateOfBirth'), 1)
  })

  test('lists versions, reads an old one and starts a draft from it', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture)
    await fixture.service.admin.publishProfileSchema({ tenantId }, { components: [editedSchema.components[0]!] })
    const page = await fixture.open(t, `${path}?view=versions`)
    await page.getByText('Compare two versions').waitFor()
    await page.getByText('field vat').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: '2', exact: true }).click()
    const version = openDialog(page, 'Version 2')
    await version.getByText('Superseded').waitFor()
    await version.getByRole('textbox', { name: 'Version 2 as JSON' }).waitFor()
    await expectAccessible(page)
    await version.getByRole('button', { name: 'Start a draft from it' }).click()
    await page.getByRole('radiogroup', { name: 'View', exact: true }).getByText('Fields').click()
    assert.deepEqual(await fieldNames(page), ['firstName', 'lastName', 'kind', 'vat'])
  })

  test('shows the fields where the address names a view that does not exist', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `${path}?view=no-such-view`)
    const views = page.getByRole('radiogroup', { name: 'View', exact: true })
    await fieldRow(page, 'firstName').waitFor()
    await expectSoon(() => views.getByRole('radio', { name: 'Fields' }).isChecked(), true)
  })
})
