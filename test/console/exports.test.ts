import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { testAdminKey } from '../support/service.ts'

describe('an export', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** Downloads with a session that has ended. */
  async function downloadAfterSession(page: Page): Promise<void> {
    await page.context().clearCookies()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Admin key').fill(testAdminKey)
    await dialog.getByRole('button', { name: 'Sign in and go on' }).click()
    assert.equal(await (await downloading).failure(), null)
  }

  test('of users asks to sign in again first', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users`, { expected: [/status of 401/], isNew: true })
    await page.getByRole('button', { name: 'Export' }).click()
    await downloadAfterSession(page)
  })

  test('of users has the format of an import, the next time without password hashes', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    await fixture.service.admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users`)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByLabel('Include password hashes').check()
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
    const [ada, done] = lines.map((line) => JSON.parse(line))
    assert.deepEqual([ada.email, ada.passwordHash, done], ['ada@example.com', null, { done: { exported: 1 } }])
    await page.getByRole('button', { name: 'Export' }).click()
    await expectSoon(() => page.getByLabel('Include password hashes').isChecked(), false)
  })

  test('of events asks to sign in again first', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`, { expected: [/status of 401/], isNew: true })
    await page.getByRole('button', { name: 'Evidence' }).click()
    await page.getByRole('menuitem', { name: 'Export all events…' }).click()
    await downloadAfterSession(page)
  })
})
