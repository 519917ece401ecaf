import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema } from '../support/browser/schema-editor.ts'

const phone = { width: 320, height: 700 }
const title = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const name = 'nameOfAFieldThatIsLongerThanAPhoneIsWide'

describe('on a phone of 320 px', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  let path: string
  before(async () => {
    fixture = await startConsole()
    ;({ tenantId, path } = await addTenantWithSchema(fixture, {
      components: [{ name, type: 'text', label: title }],
      presentation: [{ section: 'about', title, fields: [name] }],
    }))
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('long titles and names of a schema are within the page of a user', async (t) => {
    const profile = { [name]: 'Ada' }
    const { id } = await fixture.service.admin.createUser({ tenantId }, { email: 'ada@example.com', profile })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${id}`, { viewport: phone })
    await page.getByRole('heading', { level: 3, name: title }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), phone.width)
  })

  test('long names are within the list of changes, and the views of a schema fit', async (t) => {
    const page = await fixture.open(t, `${path}?view=versions`, { viewport: phone })
    await page.getByRole('listitem').getByText(name).waitFor()
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Versions').waitFor()
    assert.deepEqual(await beyondTheEdge(page), [])
  })

  test('the words of the buttons below a schema’s forms are whole', async (t) => {
    const page = await fixture.open(t, `${path}?view=forms`, { viewport: phone })
    const words = page.getByRole('button', { name: 'Add the sign-up form' }).getByText('Add the sign-up form')
    await words.waitFor()
    assert.equal(await words.evaluate((element) => element.scrollWidth - element.clientWidth), 0)
    assert.deepEqual(await beyondTheEdge(page), [])
  })
})

/** The texts of the content that end right of the window. */
const beyondTheEdge = (page: Page): Promise<string[]> =>
  page
    .getByRole('main')
    .locator('h1, h2, h3, p, li, strong, span, dt, dd, td, th')
    .evaluateAll((all) =>
      all
        .filter((one) => one.textContent !== '' && one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.textContent ?? ''),
    )
