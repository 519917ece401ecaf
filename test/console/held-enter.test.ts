import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, fieldNames } from '../support/browser/schema-editor.ts'
import { expectCount, expectFocused, expectSoon, expectValue } from '../support/expect-soon.ts'

/** Every press after the first one repeats it. */
async function holdEnter(page: Page): Promise<void> {
  for (let count = 0; count < 12; count++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
}

describe('Enter that is held', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('adds one field', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    const add = page.getByRole('button', { name: 'Add a field' })
    await add.click()
    const dialog = page.getByRole('dialog', { name: 'Add a field' })
    await dialog.getByLabel('Label').fill('Plan')
    await page.keyboard.down('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expectFocused(add)
    await holdEnter(page)
    await expectSoon(() => fieldNames(page), ['firstName', 'lastName', 'kind', 'vat', 'plan'])
    await expectCount(dialog, 0)
    await page.keyboard.press('Enter')
    await dialog.waitFor()
  })

  test('writes lines', async (t) => {
    const { tenantId } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`)
    const origins = page.getByRole('textbox', { name: 'Origins' })
    await origins.fill('https://app.example.com')
    await holdEnter(page)
    await expectValue(origins, `https://app.example.com${'\n'.repeat(12)}`)
  })
})
