import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import {
  addTenantWithSchema,
  editedSchema,
  fieldNames,
  fieldRow,
  openDialog,
  openField,
} from '../support/browser/schema-editor.ts'
import { expectCount, expectDisabled } from '../support/expect-soon.ts'

const [firstName, lastName, kind, vat] = editedSchema.components
const refused = { expected: [/status of 412/] }

describe('Merging with a version of another operator', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  async function publish(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Publish…' }).click()
    await openDialog(page, 'Publish a version')
      .getByRole('button', { name: /^Publish the next version/ })
      .click()
  }

  async function changeLabel(page: Page, field: string, label: string): Promise<void> {
    await openField(page, field)
    await page.getByLabel('Label', { exact: true }).fill(label)
    await fieldRow(page, field).getByRole('button', { expanded: true }).first().click()
  }

  const merging = (page: Page) => openDialog(page, 'Another operator published version 3')

  test('changes that fit together merge without a question, and Undo takes the merge back', async (t) => {
    const { path, tenantId, read } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, refused)
    await changeLabel(page, 'lastName', 'Family name')
    const added = { name: 'theirs', type: 'text' } as const
    const theirs = { ...editedSchema, components: [...editedSchema.components, added] }
    await fixture.service.admin.publishProfileSchema({ tenantId }, theirs)
    await publish(page)
    await merging(page).getByText('field theirs').waitFor()
    await merging(page).getByText('field lastName: label').waitFor()
    await expectCount(merging(page).getByRole('radio'), 0)
    await expectAccessible(page)
    await merging(page).getByRole('button', { name: 'Merge', exact: true }).click()
    await fieldRow(page, 'theirs').waitFor()
    await fieldRow(page, 'lastName').getByText('Family name').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.deepEqual(await fieldNames(page), ['firstName', 'lastName', 'kind', 'vat'])
    await fieldRow(page, 'lastName').getByText('Family name').waitFor()
    // The draft continues the version before theirs again, so it does not replace theirs unseen.
    await publish(page)
    await merging(page).getByRole('button', { name: 'Merge', exact: true }).click()
    await fieldRow(page, 'theirs').waitFor()
    await publish(page)
    await page.getByText('Version 4 is current.', { exact: true }).waitFor()
    const { components } = await read()
    assert.deepEqual(
      components.map(({ name, label }) => [name, label]),
      [
        ['firstName', firstName!.label],
        ['lastName', 'Family name'],
        ['kind', 'Account'],
        ['vat', 'VAT number'],
        ['theirs', undefined],
      ],
    )
  })

  test('asks what both changed, one by one, and merges the rest', async (t) => {
    const { path, tenantId, read } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, refused)
    await changeLabel(page, 'lastName', 'Family name')
    await changeLabel(page, 'kind', 'Customer')
    await changeLabel(page, 'firstName', 'Given name')
    const components = [
      firstName!,
      { ...lastName!, label: 'Surname' },
      { ...kind!, label: 'Kind' },
      { ...vat!, required: true },
    ]
    await fixture.service.admin.publishProfileSchema({ tenantId }, { ...editedSchema, components })
    await publish(page)
    const merge = merging(page).getByRole('button', { name: 'Merge', exact: true })
    const last = merging(page).getByRole('radiogroup', { name: 'Field “Family name”: label' })
    await last.getByText('Surname').waitFor()
    await expectCount(merging(page).getByRole('radiogroup'), 2)
    await expectAccessible(page)
    await last.getByRole('radio', { name: 'Take theirs' }).check()
    await merging(page).getByText('1 of 2 decided').waitFor()
    await expectDisabled(merge)
    await merging(page)
      .getByRole('radiogroup', { name: 'Field “Customer”: label' })
      .getByRole('radio', { name: 'Keep mine' })
      .check()
    await merge.click()
    await fieldRow(page, 'lastName').getByText('Surname').waitFor()
    await publish(page)
    await page.getByText('Version 4 is current.', { exact: true }).waitFor()
    const published = (await read()).components
    assert.deepEqual(
      published.map(({ label, required }) => [label, required]),
      [
        [{ default: 'Given name', fr: 'Prénom' }, undefined],
        ['Surname', undefined],
        ['Customer', undefined],
        ['VAT number', true],
      ],
    )
  })

  test('shows their version alone, and Undo brings the draft back', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, refused)
    await changeLabel(page, 'lastName', 'Family name')
    await fixture.service.admin.publishProfileSchema(
      { tenantId },
      { ...editedSchema, components: [firstName!], presentation: [] },
    )
    await publish(page)
    await merging(page).getByRole('button', { name: 'Show theirs' }).click()
    await page.getByText('Not published').waitFor({ state: 'detached' })
    assert.deepEqual(await fieldNames(page), ['firstName'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await fieldRow(page, 'lastName').getByText('Family name').waitFor()
    await page.getByText('Not published').waitFor()
  })
})
