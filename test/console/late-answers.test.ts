import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'

describe('an answer after the screen was left does not lead away from the next one', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** Holds an act, goes back twice before its answer, and expects the screen that was first. */
  async function leaveBefore(page: Page, { method, done, first }: { method: string; done: string; first: string }) {
    const held = Promise.withResolvers<void>()
    await page.route('**/admin/tenants/**', async (route) => {
      if (route.request().method() === method) await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest((request) => request.method() === method)
    await page.keyboard.press('Enter')
    await asked
    await page.evaluate(() => history.go(-2))
    const question = page.getByRole('dialog', { name: 'Leave before the answer?' })
    await question.getByRole('button', { name: 'Leave' }).click()
    const heading = page.getByRole('heading', { level: 1, name: first })
    await heading.waitFor()
    held.resolve()
    await page.getByText(done).waitFor()
    await page.waitForLoadState('networkidle')
    await expectCount(heading, 1)
  }

  test('a user who is created', async (t) => {
    const { id } = await fixture.service.admin.createTenant({ name: 'Acme Shop' })
    const page = await fixture.open(t, `/tenants/${id}/messages`, { isNew: true })
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'New user' }).first().click()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await leaveBefore(page, { method: 'POST', done: 'ada@example.com is created', first: 'Messages' })
  })

  test('a user who is deleted', async (t) => {
    const { id } = await fixture.service.admin.createTenant({ name: 'Acme Shop' })
    await fixture.service.admin.createUser({ tenantId: id }, { email: 'ada@example.com' })
    const page = await fixture.open(t, `/tenants/${id}/keys`, { isNew: true })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('link', { name: 'ada@example.com' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByLabel('Type “ada@example.com” to confirm').fill('ada@example.com')
    await leaveBefore(page, { method: 'DELETE', done: 'ada@example.com is deleted', first: 'Keys' })
  })

  test('a tenant that is deleted', async (t) => {
    const { id } = await fixture.service.admin.createTenant({ name: 'Left tenant' })
    const page = await fixture.open(t, '/operators', { isNew: true })
    await page.getByRole('link', { name: 'Tenants', exact: true }).click()
    await page.getByRole('link', { name: 'Left tenant' }).click()
    await expectSoon(() => page.url().endsWith(id), true)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByLabel('Type “Left tenant” to confirm').fill('Left tenant')
    await leaveBefore(page, { method: 'DELETE', done: 'The tenant is deleted', first: 'Operators' })
  })
})
