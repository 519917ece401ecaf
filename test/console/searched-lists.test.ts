import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, fieldRow, openDialog } from '../support/browser/schema-editor.ts'
import { expectSoon, expectValue } from '../support/expect-soon.ts'

describe('a list in which one searches by typing', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('takes what was typed in place of the value from before, and Enter chooses before it sends', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'Add a field' }).press('Enter')
    const dialog = openDialog(page, 'Add a field')
    const type = dialog.getByRole('combobox', { name: 'Type' })
    await dialog.getByLabel('Label').fill('Plan')
    await page.keyboard.press('Tab')
    await page.keyboard.insertText('nothing like this')
    await expectValue(type, 'nothing like this')
    await page.getByText('No match').waitFor()
    await page.keyboard.press('Enter')
    await expectValue(type, 'nothing like this')
    await type.fill('single')
    await page.getByRole('option', { name: 'Single choice', selected: false }).waitFor()
    await page.keyboard.press('Enter')
    await expectValue(type, 'Single choice')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expectSoon(() => fieldRow(page, 'plan').getByText('Single choice', { exact: true }).count(), 1)
  })

  test('is not a stop of Tab, though it scrolls', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await addTenantWithSchema(fixture, {
      components: [
        { name: 'country', type: 'country', label: 'Country' },
        { name: 'nick', type: 'text', label: 'Nickname' },
      ],
    })
    const { id } = await admin.createUser({ tenantId }, { email: 'ada@example.com', profile: { nick: 'ada' } })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${id}`)
    await page.getByRole('button', { name: 'Edit' }).press('Enter')
    const profile = page.getByRole('region', { name: 'Profile' })
    await profile.getByRole('combobox', { name: 'Country' }).focus()
    await page.getByRole('option', { name: 'Albania' }).waitFor()
    await page.keyboard.press('Tab')
    const nickname = profile.getByLabel('Nickname')
    await expectSoon(() => nickname.evaluate((element) => element === document.activeElement), true)
  })
})
