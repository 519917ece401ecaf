import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Scope } from '../../contract/scopes.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon, expectTexts, expectValue } from '../support/expect-soon.ts'

/** Any refusal is printed by the browser and fails the test: no page is opened with expected errors. */
describe('the reach and scopes of an operator', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  const ids: string[] = []
  before(async () => {
    fixture = await startConsole()
    for (const name of ['Bakery', 'Bank', 'Café']) {
      ids.push((await fixture.service.admin.createTenant({ name })).id)
      // Lists are in the order of ids.
      fixture.service.clock.advance(1)
    }
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const switcher = (page: Page) => page.getByRole('navigation').getByRole('combobox', { name: 'Tenant' })
  const options = (page: Page) => page.getByRole('listbox').getByRole('option')
  const lines = (page: Page) => page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
  const keyOf = async (scopes: Scope[], tenantIds?: string[]) => {
    const operator = { name: 'Operator', scopes, ...(tenantIds && { tenantIds }) }
    return (await fixture.service.admin.createOperator(operator)).key
  }
  const pathOf = (page: Page) => new URL(page.url()).pathname.replace('/console', '')

  test('bound to two tenants: the switcher offers these two, and keeps the screen', async (t) => {
    const key = await keyOf(['tenants:read', 'users:read'], [ids[0]!, ids[1]!])
    const page = await fixture.open(t, `/tenants/${ids[0]}/users`, { key })
    await expectValue(switcher(page), 'Bakery')
    await switcher(page).click()
    await expectTexts(options(page), ['Bakery', 'Bank'])
    await expectSoon(() => switcher(page).getAttribute('placeholder'), 'Bakery')
    await page.keyboard.type('bank')
    await expectTexts(options(page), ['Bank'])
    await options(page).click()
    await expectValue(switcher(page), 'Bank')
    await expectSoon(() => pathOf(page), `/tenants/${ids[1]}/users`)
  })

  test('bound, without tenants:read: the switcher offers the ids of the tenants, and nothing is refused', async (t) => {
    const bound = [ids[0]!, ids[2]!]
    const page = await fixture.open(t, '/', { key: await keyOf(['keys:read', 'codes:read'], bound) })
    await page.getByRole('heading', { name: 'Deployment' }).waitFor()
    await switcher(page).click()
    await expectTexts(options(page), bound)
    await expectAccessible(page)
    await page.keyboard.type('nothing')
    await page.getByText('None of your tenants has the id “nothing”').waitFor()
    await switcher(page).fill(ids[2]!.slice(0, -1).toLowerCase())
    await options(page).filter({ hasText: ids[2]! }).click()
    await page.getByText('No key was created yet.').waitFor()
    await expectSoon(() => pathOf(page), `/tenants/${ids[2]}/keys`)
    await expectTexts(lines(page), ['Overview', 'Code inbox', 'Keys'])
    await expectValue(switcher(page), ids[2]!)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Code inbox' }).click()
    await page.getByText('No codes yet').waitFor()
    await expectValue(page.getByRole('main').getByRole('combobox', { name: 'Tenant' }), ids[0]!)
  })

  test('without codes:read: nothing leads to the code inbox', async (t) => {
    const key = await keyOf(['tenants:read', 'configuration:read'])
    const page = await fixture.open(t, `/tenants/${ids[0]}/delivery`, { key })
    await page.getByText('e-mail goes to the code inbox').waitFor()
    await expectCount(page.getByRole('link', { name: 'code inbox' }), 0)
  })

  test('of all tenants, without tenants:read: the switcher takes the id of a tenant', async (t) => {
    const page = await fixture.open(t, '/', { key: await keyOf(['keys:read']) })
    await switcher(page).click()
    await page.getByText('Enter the id of a tenant').waitFor()
    await page.keyboard.insertText(ids[1]!)
    await options(page).filter({ hasText: ids[1]! }).click()
    await page.getByText('No key was created yet.').waitFor()
  })

  test('without a screen of tenants: there is no switcher', async (t) => {
    const page = await fixture.open(t, '/', { key: await keyOf(['codes:read']) })
    await expectTexts(lines(page), ['Overview', 'Code inbox'])
    await expectCount(switcher(page), 0)
  })

  test('to read users only: the import says which scope is missing, and takes no file', async (t) => {
    const page = await fixture.open(t, `/tenants/${ids[0]}/users/import`, { key: await keyOf(['users:read']) })
    await page.getByText('It requires the scope users:write.').waitFor()
    await expectCount(page.getByText('Choose a file'), 0)
  })

  test('a screen that one may not see says which scope is missing', async (t) => {
    const key = await keyOf(['keys:read', 'events:read'], [ids[0]!])
    const page = await fixture.open(t, `/tenants/${ids[0]}/users/01ARZ3NDEKTSV4RRFFQ69G5FAV`, { key })
    await page.getByText('It requires the scope users:read.').waitFor()
    await expectAccessible(page)
    await page.goto(page.url().replace(/tenants\/.*/, `tenants/${ids[1]}/keys`))
    await page.getByText('This tenant is not among the tenants that you are bound to.').waitFor()
    await page.goto(page.url().replace(/tenants\/.*/, 'activity'))
    await page.getByText('It is for operators of the whole deployment').waitFor()
  })
})
