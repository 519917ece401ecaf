import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, previewedForm } from '../support/browser/schema-editor.ts'
import { expectSoon } from '../support/expect-soon.ts'

const rightToLeft = 'متجر الأمل Ltd'

describe('texts in a right-to-left script', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const directionOf = (input: Locator) => input.evaluate((element) => getComputedStyle(element).direction)

  /** Asserts that a text begins on its own side. */
  async function expectOwnSide(input: Locator): Promise<void> {
    await input.fill(rightToLeft)
    await expectSoon(() => directionOf(input), 'rtl')
    await input.fill('Maryam')
    await expectSoon(() => directionOf(input), 'ltr')
  }

  const components = [
    { name: 'fullName', type: 'name' as const, label: 'Full name' },
    { name: 'home', type: 'address' as const, label: 'Home' },
    { name: 'nick', type: 'text' as const, label: 'Nickname' },
    { name: 'about', type: 'multiline' as const, label: 'About' },
  ]
  const fields = ['Given name', 'Family name', 'Address line 1', 'City', 'Nickname', 'About']

  test('begin at the right in the fields of a profile', async (t) => {
    const { tenantId } = await addTenantWithSchema(fixture, { components })
    const user = await fixture.service.admin.createUser(
      { tenantId },
      { email: 'maryam@example.com', profile: { nick: 'M' } },
    )
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${user.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    for (const label of fields) await expectOwnSide(page.getByLabel(label, { exact: true }))
  })

  test('begin at the right in the form of apps, where empty fields follow the page', async (t) => {
    const { path } = await addTenantWithSchema(fixture, { components })
    const page = await fixture.open(t, path)
    const form = previewedForm(page)
    await page.getByRole('button', { name: 'Right to left' }).click()
    await form.locator('html[dir=rtl]').waitFor()
    for (const label of fields) {
      const input = form.getByLabel(label, { exact: true })
      await expectSoon(() => directionOf(input), 'rtl')
      await expectOwnSide(input)
    }
  })

  test('begin at the right in the search for the tenants of an operator, and keep their order when chosen', async (t) => {
    await fixture.service.admin.createTenant({ name: rightToLeft })
    const page = await fixture.open(t, '/operators')
    await page.getByRole('button', { name: 'New operator' }).first().click()
    await page.getByLabel('Some tenants only').check()
    const search = page.getByRole('combobox', { name: 'Which tenants' })
    await expectOwnSide(search)
    await search.fill(rightToLeft)
    const option = page.getByRole('option', { name: rightToLeft })
    await option.waitFor()
    await expectRightToLeft(option.getByText(rightToLeft))
    await option.click()
    await expectRightToLeft(page.locator('.mantine-Pill-label').getByText(rightToLeft))
  })

  test('begin at the right in the texts of messages', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    // What is typed here lacks the code. A preview that is read meanwhile says so.
    const page = await fixture.open(t, `/tenants/${tenantId}/delivery`, { expected: [/status of 400/] })
    await page.getByRole('button', { name: 'Write a custom text' }).click()
    for (const name of ['Subject', 'Text']) await expectOwnSide(page.getByRole('textbox', { name, exact: true }))
  })
})

/** Asserts that the first word is at the right of the last one. */
const expectRightToLeft = (element: Locator): Promise<void> =>
  expectSoon(
    () =>
      element.evaluate((shown) => {
        const text = shown.firstChild as Text
        const startOf = (from: number): number => {
          const range = document.createRange()
          range.setStart(text, from)
          range.setEnd(text, from + 1)
          return range.getBoundingClientRect().left
        }
        return startOf(0) > startOf(text.length - 1)
      }),
    true,
  )
