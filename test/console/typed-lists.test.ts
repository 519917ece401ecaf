import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, openField } from '../support/browser/schema-editor.ts'
import { expectSoon } from '../support/expect-soon.ts'

async function add(input: Locator, item: string): Promise<void> {
  await input.pressSequentially(item)
  await input.press('Enter')
}

/** A synthetic event: the clipboard of the machine is shared. */
const paste = (input: Locator, text: string): Promise<void> =>
  input.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

describe('typed lists', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('of a profile keep commas and equal items, and take one item from each pasted line', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await addTenantWithSchema(fixture, {
      components: [{ name: 'places', type: 'list', label: 'Places' }],
    })
    const { id: userId } = await admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('button', { name: 'Fill in' }).click()
    const input = page.locator('input:not([type=hidden])').and(page.getByLabel('Places'))
    await add(input, 'Main Street 1, Paris')
    await add(input, 'Rome')
    await add(input, 'rome')
    await paste(input, 'Hill, London\nOslo')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The profile is saved').waitFor()
    const { places } = await admin.readUserProfile({ tenantId, userId })
    assert.deepEqual(places, ['Main Street 1, Paris', 'Rome', 'rome', 'Hill, London', 'Oslo'])
  })

  test('of a condition keep commas', async (t) => {
    const { path, read } = await addTenantWithSchema(fixture, {
      components: [
        { name: 'city', type: 'text' },
        { name: 'note', type: 'text', visibleWhen: { field: 'city', in: ['Paris'] } },
      ],
    })
    const page = await fixture.open(t, path)
    await openField(page, 'note')
    await page.getByRole('tab', { name: 'Conditions' }).click()
    await add(page.locator('input[aria-label="Values"]'), 'Washington, D.C.')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('button', { name: 'Publish the next version' }).click()
    const condition = async () => (await read()).components[1]?.visibleWhen
    await expectSoon(condition, { field: 'city', in: ['Paris', 'Washington, D.C.'] })
  })
})
