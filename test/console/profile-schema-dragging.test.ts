import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema, fieldNames, fieldRow, openField } from '../support/browser/schema-editor.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'

describe('Dragging in the list of fields', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const settingsOf = (page: Page, title: string) => page.getByRole('region', { name: `Settings of ${title}` })
  const gripOf = (page: Page, title: string) => page.getByRole('button', { name: `Move ${title}` })

  /** Presses the grip and moves the pointer by `by` pixels. Returns where the pointer is. */
  async function pickUp(page: Page, grip: Locator, by: number): Promise<{ readonly x: number; readonly y: number }> {
    await grip.scrollIntoViewIfNeeded()
    const { x, y } = (await grip.boundingBox())!
    await page.mouse.move(x + 10, y + 10)
    await page.mouse.down()
    await page.mouse.move(x + 10, y + 10 + by, { steps: 6 })
    await page.locator('ul[data-dragging]').waitFor()
    return { x: x + 10, y: y + 10 + by }
  }

  test('open settings fold while another field is dragged, which stays below the pointer', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'firstName')
    await settingsOf(page, 'First name').getByRole('tab', { name: 'Rules' }).click()
    await settingsOf(page, 'First name').getByLabel('Pattern', { exact: true }).fill('^A')
    await settingsOf(page, 'First name').getByRole('tab', { name: 'Access' }).click()
    await page.getByRole('button', { name: 'Edit section More' }).click()
    const before = await page.evaluate(() => document.documentElement.scrollHeight)
    const grip = gripOf(page, 'Account')
    const pointer = await pickUp(page, grip, -8)
    await settingsOf(page, 'First name').waitFor({ state: 'hidden' })
    await expectCount(fieldRow(page, 'firstName').getByRole('button', { expanded: true }), 0)
    await expectCount(page.getByRole('textbox', { name: 'Name', exact: true }), 0)
    const box = (await grip.boundingBox())!
    assert.ok(Math.abs(box.y + 10 - pointer.y) <= 2, `the grip is at ${box.y}, the pointer at ${pointer.y}`)
    await expectSoon(() => page.evaluate(() => document.documentElement.scrollHeight), before)
    const target = (await fieldRow(page, 'lastName').boundingBox())!
    await page.mouse.move(pointer.x, target.y + 10, { steps: 10 })
    await page.mouse.up()
    await page.locator('ul[data-dragging]').waitFor({ state: 'detached' })
    assert.deepEqual(await fieldNames(page), ['firstName', 'kind', 'lastName', 'vat'])
    await settingsOf(page, 'First name').getByRole('tab', { name: 'Access', selected: true }).waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  })

  test('an open field travels without its settings, also into another section, and is open afterwards', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'lastName')
    await settingsOf(page, 'Last name').getByRole('tab', { name: 'Access' }).click()
    const pointer = await pickUp(page, gripOf(page, 'Last name'), 8)
    await settingsOf(page, 'Last name').waitFor({ state: 'hidden' })
    assert.ok((await fieldRow(page, 'lastName').boundingBox())!.height < 100)
    const target = (await fieldRow(page, 'vat').boundingBox())!
    await page.mouse.move(pointer.x, target.y + target.height / 2, { steps: 12 })
    await page.mouse.up()
    await settingsOf(page, 'Last name').getByRole('tab', { name: 'Access', selected: true }).waitFor()
    assert.deepEqual(await fieldNames(page), ['firstName', 'kind', 'vat', 'lastName'])
  })

  test('settings fold while the keyboard drags, and Escape opens them where they were', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'lastName')
    await settingsOf(page, 'Last name').waitFor()
    const grip = gripOf(page, 'Last name')
    await grip.focus()
    await page.keyboard.press('Space')
    await page.getByText('Picked up Last name.').waitFor()
    await settingsOf(page, 'Last name').waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await settingsOf(page, 'Last name').waitFor()
    assert.deepEqual(await fieldNames(page), ['firstName', 'lastName', 'kind', 'vat'])
    await grip.focus()
    await page.keyboard.press('Space')
    await page.getByText('Picked up Last name.').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Last name is now at position 1 of “More”.').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByText('Last name is now at position 2 of “More”.').waitFor()
    await page.keyboard.press('Space')
    await settingsOf(page, 'Last name').waitFor()
    assert.deepEqual(await fieldNames(page), ['firstName', 'kind', 'lastName', 'vat'])
    await page.locator(':focus[aria-label="Move Last name"]').waitFor()
  })

  test('a section is dragged with its fields inside, among sections only', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'firstName')
    await settingsOf(page, 'First name').getByRole('tab', { name: 'Access' }).click()
    const before = await page.evaluate(() => document.documentElement.scrollHeight)
    const grip = gripOf(page, 'section More')
    const pointer = await pickUp(page, grip, -8)
    await expectCount(page.locator('li[data-field]:visible'), 0)
    await expectCount(page.getByText('2 fields', { exact: true }), 2)
    const box = (await grip.boundingBox())!
    assert.ok(Math.abs(box.y + 10 - pointer.y) <= 2, `the grip is at ${box.y}, the pointer at ${pointer.y}`)
    await expectSoon(() => page.evaluate(() => document.documentElement.scrollHeight), before)
    const target = (await gripOf(page, 'section About you').boundingBox())!
    await page.mouse.move(pointer.x, target.y, { steps: 10 })
    await page.mouse.up()
    await settingsOf(page, 'First name').getByRole('tab', { name: 'Access', selected: true }).waitFor()
    await expectSoon(() => fieldNames(page), ['kind', 'vat', 'firstName', 'lastName'])
    await grip.focus()
    await page.keyboard.press('Space')
    await page.getByText('Picked up More.').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByText('More is now at position 2.').waitFor()
    await page.keyboard.press('Space')
    await expectSoon(() => fieldNames(page), ['firstName', 'lastName', 'kind', 'vat'])
    await page.locator(':focus[aria-label="Move section More"]').waitFor()
  })
})
