import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectInvalid, expectSoon, expectValue } from '../support/expect-soon.ts'
import { refused } from '../support/refused.ts'

const clipboard = { context: { permissions: ['clipboard-read', 'clipboard-write'] } }
const keyIn = (page: Page) => page.getByRole('dialog').locator('code').first().innerText()
const newKey = (page: Page) => page.getByRole('button', { name: 'New key' })
const act = async (page: Page, name: string, what: string) => {
  await page.getByRole('button', { name: `Actions of the key ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

describe('the keys of a tenant', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let path: string
  let tenantId: string
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  async function open(
    ...[t, options]: [Parameters<ConsoleFixture['open']>[0], Parameters<ConsoleFixture['open']>[2]?]
  ) {
    tenantId = (await fixture.service.admin.createTenant({ name: 'Acme Shop' })).id
    path = `/tenants/${tenantId}/keys`
    return fixture.open(t, path, options)
  }
  /** Whether the service takes a key. */
  const works = async (key: string) => {
    const client = createTenantryClient({ baseUrl: fixture.service.baseUrl, tenantKey: key })
    await client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' }).catch(async (error) => {
      // Codes are not a way to sign in here: the key itself was accepted.
      if (error.code !== 'RESTRICTED_CAPABILITY') throw error
    })
  }

  test('show the end of an id on a phone, because ids of one time begin alike', async (t) => {
    const page = await open(t, { viewport: { width: 390, height: 844 } })
    const { id } = await fixture.service.admin.createTenantKey({ tenantId }, { name: 'app' })
    await page.reload()
    const shown = page.getByText(id, { exact: true })
    const [isCut, hasEnd] = await shown.evaluate((element) => {
      const text = element.firstChild as Text
      const end = document.createRange()
      end.setStart(text, text.length - 1)
      end.setEnd(text, text.length)
      const { left, right } = end.getBoundingClientRect()
      const box = element.getBoundingClientRect()
      return [element.scrollWidth > element.clientWidth, left >= box.left && right <= box.right + 1]
    })
    assert.deepEqual([isCut, hasEnd], [true, true])
  })

  test('have room for their names on every screen', async (t) => {
    const page = await open(t)
    await fixture.service.admin.createTenantKey({ tenantId }, { name: 'backend-service-of-the-shop-in-the-north' })
    await page.reload()
    const name = page.getByRole('columnheader', { name: 'Key' })
    await name.waitFor()
    for (const width of [768, 1000, 1200]) {
      await page.setViewportSize({ width, height: 700 })
      await expectSoon(async () => (await name.boundingBox())!.width >= 240, true)
    }
  })

  test('begin with none; a new one works, is shown once, and is not lost by accident', async (t) => {
    const page = await open(t, clipboard)
    await page.getByText('Applications need a key').waitFor()
    await newKey(page).click()
    await page.getByRole('dialog', { name: 'New key' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Name').fill('بوابة الدفع')
    await page.getByLabel('Secret').check()
    await page.keyboard.press('Enter')
    await page.getByText('This is the only time the key is shown').waitFor()
    await expectAccessible(page)
    const key = await keyIn(page)
    await works(key)
    await page.keyboard.press('Escape')
    await page.getByText('The key is not copied, and cannot be shown again.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await expectSoon(() => page.evaluate(() => navigator.clipboard.readText()), key)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'بوابة الدفع' })
    await row.getByText('Secret').waitFor()
    await row.getByText('Active').waitFor()
    assert.ok(!(await page.content()).includes(key))
  })

  test('are not taken for copied when the browser refuses the clipboard', async (t) => {
    const page = await open(t, { isNew: true })
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('Denied', 'NotAllowedError'))
    })
    await newKey(page).click()
    await page.getByLabel('Name').fill('web app')
    await page.keyboard.press('Enter')
    await page.getByText('This is the only time the key is shown').waitFor()
    await page.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByRole('button', { name: 'The browser refused to copy the key: select the text instead' }).waitFor()
    await page.mouse.move(0, 0)
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The key is not copied, and cannot be shown again.').waitFor()
    await page.getByRole('button', { name: 'Close without it' }).click()
  })

  test('come with a command for the address of applications, which the console may not have', async (t) => {
    const publicUrl = 'https://accounts.example.com/auth'
    await using separate = await startConsole({ separateAdmin: true, publicUrl })
    const tenant = await separate.service.addTenant()
    const page = await separate.open(t, `/tenants/${tenant.tenantId}/keys`)
    await newKey(page).click()
    await page.getByLabel('Name').fill('web app')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText(`curl ${publicUrl}/tenant-configuration`).waitFor()
  })

  test('warn before the tab is closed while a key is not copied', async (t) => {
    const page = await open(t, { isNew: true })
    await newKey(page).click()
    await page.getByLabel('Name').fill('web app')
    await page.keyboard.press('Enter')
    await page.getByText('This is the only time the key is shown').waitFor()
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.accept()
  })

  test('ask before Back leaves the screen while a key is not copied', async (t) => {
    const page = await open(t, { ...clipboard, isNew: true })
    await page.getByRole('link', { name: 'Configuration' }).click()
    await page.getByRole('heading', { level: 1, name: 'Configuration' }).waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await newKey(page).click()
    await page.getByLabel('Name').fill('web app')
    await page.keyboard.press('Enter')
    await page.getByText('This is the only time the key is shown').waitFor()
    const key = await keyIn(page)
    await page.goBack()
    await page.getByText('The key is not copied, and cannot be shown again.').waitFor()
    assert.equal(await keyIn(page), key)
    await page.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Configuration' }).waitFor()
  })

  test('ask before Back leaves a dialog that is half filled', async (t) => {
    const page = await open(t, { isNew: true })
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await newKey(page).click()
    const name = page.getByLabel('Name')
    await name.fill('billing')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    for (const stay of [() => page.keyboard.press('Escape'), () => question.getByText('Stay').click()]) {
      await page.goBack()
      await question.waitFor()
      await expectAccessible(page)
      await stay()
      await question.waitFor({ state: 'detached' })
      await expectValue(name, 'billing')
      await expectSoon(() => new URL(page.url()).pathname, `/console${path}`)
    }
    await page.goBack()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await page.goForward()
    await newKey(page).click()
    await name.waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  })

  test('rotate with an overlap: both keys work, and the old one ends', async (t) => {
    const page = await open(t)
    const { key: old } = await fixture.service.admin.createTenantKey({ tenantId }, { name: 'web app' })
    await page.reload()
    await act(page, 'web app', 'Rotate…')
    await page.getByRole('dialog', { name: 'Rotate the key' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'The old key works for' }).click()
    await page.getByRole('option', { name: 'One hour' }).click()
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('This is the only time the key is shown').waitFor()
    await works(await keyIn(page))
    await works(old)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Close without it' }).click()
    await page.getByText('Ends soon').waitFor()
    const { items } = await fixture.service.admin.listTenantKeys({ tenantId })
    const hours = items.map(
      ({ expiresAt }) => expiresAt && (Date.parse(expiresAt) - fixture.service.clock.now()) / 3.6e6,
    )
    assert.deepEqual(hours.map((left) => left && Math.round(left)).sort(), [1, null])
  })

  test('revoke after a question: the key is refused at once', async (t) => {
    const page = await open(t)
    const { key } = await fixture.service.admin.createTenantKey({ tenantId }, { name: 'web app' })
    await page.reload()
    await act(page, 'web app', 'Revoke…')
    await page.getByRole('dialog').getByText('one within the last minute may be missing').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await refused(works(key), 'INVALID_TENANT_KEY')
    await expectCount(page.getByRole('button', { name: /^Actions of the key/ }), 0)
  })

  test('show what the server refuses beside its field, and keep what was typed', async (t) => {
    const page = await open(t, { expected: [/status of 400/] })
    await newKey(page).click()
    await page.getByLabel('Name').fill('x'.repeat(201))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('VALIDATION_ERROR').waitFor()
    await expectInvalid(page.getByLabel('Name'))
    await expectValue(page.getByLabel('Name'), 'x'.repeat(201))
    await expectAccessible(page)
  })

  test('are not offered for change to an operator who may only read them', async (t) => {
    const { key } = await fixture.service.admin.createOperator({
      name: 'Reader',
      scopes: ['keys:read', 'tenants:read'],
    })
    const page = await open(t, { key })
    await page.getByText('No key was created yet.').waitFor()
    await expectCount(newKey(page), 0)
  })
})
