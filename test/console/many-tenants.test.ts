import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon, expectTexts, expectValue } from '../support/expect-soon.ts'
import { addManyTenants } from '../support/many-tenants.ts'

const count = 10_000
const nameOf = (number: number): string => `Shop ${String(number).padStart(5, '0')}`
const range = (from: number, length: number, step = 1): string[] =>
  Array.from({ length }, (_, index) => nameOf(from + index * step))

describe('10,000 tenants', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let ids: string[]
  before(async () => {
    fixture = await startConsole()
    ids = await addManyTenants(fixture.service, range(0, count))
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const names = (page: Page) => page.getByRole('table', { name: 'Tenants' }).locator('.row-name')
  const options = (page: Page) => page.getByRole('listbox').getByRole('option')

  test('the list shows a page of them, goes on and back, and finds one by the beginning of its name', async (t) => {
    const page = await fixture.open(t, '/tenants')
    const pages = [range(count - 1, 50, -1), range(count - 51, 50, -1), range(count - 101, 50, -1)]
    await expectTexts(names(page), pages[0]!)
    for (const next of pages.slice(1)) {
      await page.getByRole('button', { name: 'Next' }).click()
      await expectTexts(names(page), next)
    }
    await page.getByRole('button', { name: 'Previous' }).click()
    await expectTexts(names(page), pages[1]!)

    const search = page.getByRole('searchbox')
    await search.fill('shop 042')
    await expectTexts(names(page), range(4299, 50, -1))
    await page.getByRole('button', { name: 'Next' }).click()
    await expectTexts(names(page), range(4249, 50, -1))
    await search.fill('SHOP 04242')
    await expectTexts(names(page), [nameOf(4242)])
    await search.fill(ids[17]!)
    await expectTexts(names(page), [nameOf(17)])
    await search.fill('Shop 10000')
    await page.getByText('No tenant matches “Shop 10000”').waitFor()
  })

  test('the switcher offers the first 50, and those that match what is typed', async (t) => {
    const page = await fixture.open(t, `/tenants/${ids[1]}/users`)
    const switcher = page.getByRole('navigation').getByRole('combobox', { name: 'Tenant' })
    await expectValue(switcher, nameOf(1))
    await switcher.click()
    await expectCount(options(page), 50)
    await page.keyboard.type('shop 0999')
    await expectCount(options(page), 10)
    await page.keyboard.type('7')
    await expectTexts(options(page), [nameOf(9997)])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectValue(switcher, nameOf(9997))
    await expectSoon(() => new URL(page.url()).pathname, `/console/tenants/${ids[9997]}/users`)
  })

  test('Go to shows a few of them, and leads to the one that is typed', async (t) => {
    const page = await fixture.open(t, '/tenants')
    await expectCount(names(page), 50)
    await page.keyboard.press('Control+k')
    const found = page.getByRole('dialog', { name: 'Go to' }).getByRole('option', { name: /^Shop / })
    await expectCount(found, 6)
    await page.keyboard.type('shop 05')
    await found.filter({ hasText: 'Shop 05000' }).waitFor()
    await expectCount(found, 6)
    await page.keyboard.type('123')
    await found.filter({ hasText: 'Shop 05123' }).waitFor()
    await expectCount(found, 1)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Shop 05123' }).waitFor()
  })

  test('filters of other screens ask the server, too', async (t) => {
    const page = await fixture.open(t, '/code-inbox', { viewport: { width: 390, height: 844 } })
    const filter = page.getByRole('main').getByRole('combobox', { name: 'Tenant' })
    await filter.click()
    await expectCount(options(page), 50)
    await page.keyboard.type('shop 08765')
    await options(page).filter({ hasText: 'Shop 08765' }).click()
    await expectValue(filter, nameOf(8765))
    await expectSoon(() => new URL(page.url()).searchParams.get('tenantId'), ids[8765])
  })
})
