import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectDisabled, expectSoon, expectTexts, expectValue } from '../support/expect-soon.ts'

describe('the pages of a list', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  /** The list of 120 users, which no test changes. */
  let path: string
  before(async () => {
    fixture = await startConsole()
    ;({ path } = await tenantOfUsers(120))
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const rows = (page: Page | Locator) => page.getByRole('table').locator('tbody tr')

  async function tenantOfUsers(count: number) {
    const { tenantId } = await fixture.service.addTenant()
    for (let index = 0; index < count; index++) {
      fixture.service.clock.advance(1)
      await fixture.service.admin.createUser({ tenantId }, { email: `user${index}@example.com` })
    }
    return { tenantId, path: `/tenants/${tenantId}/users` }
  }

  test('pages forward and back over 120 users, newest first, with one request a page', async (t) => {
    const page = await fixture.open(t, path)
    const first = rows(page).first()
    await first.getByText('user119@example.com').waitFor()
    await expectCount(rows(page), 50)
    const requests: string[] = []
    page.on('request', (request) => request.url().includes('/users?') && requests.push(request.url()))
    await page.getByRole('button', { name: 'Next' }).click()
    await first.getByText('user69@example.com').waitFor()
    assert.equal(requests.length, 1)
    await page.getByRole('button', { name: 'Next' }).click()
    await first.getByText('user19@example.com').waitFor()
    await expectCount(rows(page), 20)
    await expectDisabled(page.getByRole('button', { name: 'Next' }))
    await page.getByRole('button', { name: 'Previous' }).click()
    await first.getByText('user69@example.com').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await first.getByText('user119@example.com').waitFor()
    // A page in the address can be shared.
    await page.getByRole('button', { name: 'Next' }).click()
    await first.getByText('user69@example.com').waitFor()
    await page.reload()
    await first.getByText('user69@example.com').waitFor()
    await page.getByRole('button', { name: 'First page' }).click()
    await first.getByText('user119@example.com').waitFor()
  })

  test('of the checkpoints above the events have their rows, and leave those of the events as they were', async (t) => {
    const { admin, service, addTenant } = fixture.service
    const { tenantId } = await addTenant()
    for (let index = 0; index < 101; index++) {
      await admin.createUser({ tenantId }, { email: `user${index}@example.com` })
      await service.services.events.drain()
    }
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`, { isNew: true })
    const shown = async () => new URL(page.url()).searchParams.get('cursor')
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Next' }).click()
    await expectSoon(async () => (await shown()) !== null, true)
    const second = await shown()
    await main.getByRole('button', { name: 'Next' }).click()
    await expectSoon(async () => (await shown()) !== second, true)
    await page.getByRole('button', { name: 'Evidence' }).click()
    await page.getByRole('menuitem', { name: 'Checkpoints…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Checkpoints' })
    await expectCount(rows(dialog), 50)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('button', { name: 'Previous' }).click()
    await dialog.getByLabel('Rows on a page').selectOption('100 rows')
    await expectCount(rows(dialog), 100)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await expectDisabled(dialog.getByRole('button', { name: 'Next' }))
    await page.keyboard.press('Escape')
    await main.getByRole('button', { name: 'Previous' }).click()
    await expectSoon(shown, second)
    await expectValue(main.getByLabel('Rows on a page'), '50')
    await expectCount(rows(main), 50)
  })

  test('after a visit of a user, Previous goes on from the same page', async (t) => {
    const page = await fixture.open(t, path)
    const first = rows(page).first()
    for (const user of ['user69', 'user19']) {
      await page.getByRole('button', { name: 'Next' }).click()
      await first.getByText(`${user}@example.com`).waitFor()
    }
    await page.getByRole('link', { name: 'user19@example.com' }).click()
    await page.getByRole('heading', { level: 1, name: 'user19@example.com' }).waitFor()
    await page.goBack()
    await first.getByText('user19@example.com').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await first.getByText('user69@example.com').waitFor()
  })

  test('after a user is deleted, the list is on the same page of the same search', async (t) => {
    const { path } = await tenantOfUsers(53)
    const page = await fixture.open(t, `${path}?q=user`)
    await page.getByRole('button', { name: 'Next' }).click()
    // In the order of addresses.
    await page.getByRole('link', { name: 'user8@example.com' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByLabel('Type “user8@example.com” to confirm').fill('user8@example.com')
    await page.getByRole('button', { name: 'Delete user' }).click()
    await expectTexts(rows(page).getByRole('link'), ['user7@example.com', 'user9@example.com'])
    await page.getByRole('button', { name: 'Previous' }).click()
    await rows(page).first().getByText('user0@example.com').waitFor()
    await expectValue(page.getByLabel(/^Search by/), 'user')
  })

  test('a page of a search that has lost its rows does not say that nothing matches', async (t) => {
    const { path, tenantId } = await tenantOfUsers(51)
    const page = await fixture.open(t, `${path}?q=user`)
    await page.getByRole('button', { name: 'Next' }).click()
    // In the order of addresses.
    await rows(page).first().getByText('user9@example.com').waitFor()
    const { items } = await fixture.service.admin.listUsers({ tenantId }, { q: 'user9@example.com' })
    await fixture.service.admin.deleteUser({ tenantId, userId: items[0]!.id })
    await page.reload()
    await page.getByText('No more rows').waitFor()
    await expectCount(page.getByText('No user matches'), 0)
    await page.getByRole('button', { name: 'First page' }).click()
    await rows(page).first().getByText('user0@example.com').waitFor()
  })

  test('the browser goes back to a page, and Previous to the one before it', async (t) => {
    const page = await fixture.open(t, path)
    const first = rows(page).first()
    await first.getByText('user119@example.com').waitFor()
    for (const user of ['user69', 'user19']) {
      await page.getByRole('button', { name: 'Next' }).click()
      await first.getByText(`${user}@example.com`).waitFor()
    }
    await page.goBack()
    await first.getByText('user69@example.com').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await first.getByText('user119@example.com').waitFor()
    await expectDisabled(page.getByRole('button', { name: 'Previous' }))
  })

  test('the next page of the activity begins at its top', async (t) => {
    const { tenantId } = await tenantOfUsers(60)
    await fixture.service.service.services.events.drain()
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await expectCount(rows(page), 50)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/cursor=/)
    await expectSoon(() => page.evaluate(() => scrollY), 0)
  })
})
