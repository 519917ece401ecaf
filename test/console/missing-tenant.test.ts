import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'

const missing = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

describe('a tenant that does not exist', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const expected = [/status of 404/]
  const notFound = (page: Page) => page.getByRole('heading', { level: 1, name: 'Tenant not found' }).waitFor()
  const main = (page: Page) => page.getByRole('main')

  const below = ['', '/users', '/users/import', `/users/${missing}`, '/profile-schema', '/sign-in', '/delivery']
  for (const path of [...below, '/messages', '/keys', '/activity', '/configuration'])
    test(`/tenants/$tenantId${path} says so, and leads to the tenants`, async (t) => {
      const page = await fixture.open(t, `/tenants/${missing}${path}`, { expected })
      await notFound(page)
      await expectCount(main(page).getByRole('button'), 0)
      await expectCount(page.getByRole('alert'), 0)
      if (path === '/users') await expectAccessible(page)
      await page.getByRole('link', { name: 'Go to the tenants' }).click()
      await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    })

  test('an id that is not one is a tenant that does not exist', async (t) => {
    const page = await fixture.open(t, '/tenants/acme/keys', { expected })
    await notFound(page)
  })

  test('an address that cannot be decoded is a page that does not exist', async (t) => {
    const page = await fixture.open(t, '/tenants/%FF')
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  test('without tenants:read, the answer to the screen says so', async (t) => {
    const { key } = await fixture.service.admin.createOperator({ name: 'Keys', scopes: ['keys:read', 'keys:write'] })
    const page = await fixture.open(t, `/tenants/${missing}/keys`, { key, expected })
    await notFound(page)
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  test('a tenant that is deleted while its screens are open is missed at the next read, and others are not', async (t) => {
    const { id: tenantId } = await fixture.service.admin.createTenant({ name: 'Short-lived' })
    await fixture.service.admin.createTenant({ name: 'Bakery' })
    const page = await fixture.open(t, `/tenants/${tenantId}/users`, { expected })
    await page.getByText('No users yet').waitFor()
    await fixture.service.admin.deleteTenant({ tenantId })
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await notFound(page)
    await expectSoon(() => page.evaluate(() => document.activeElement?.tagName), 'H1')
    const switcher = page.getByRole('navigation').getByRole('combobox', { name: 'Tenant' })
    await switcher.click()
    await page.getByRole('option', { name: 'Bakery' }).click()
    await page.getByText('Applications need a key').waitFor()
  })
})
