import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema } from '../support/browser/schema-editor.ts'
import { expectSoon } from '../support/expect-soon.ts'

const phone = { width: 320, height: 700 }
const title = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const name = 'nameOfAFieldThatIsLongerThanAPhoneIsWide'

describe('long names', { skip: withoutBrowser }, () => {
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

  test('of sections and fields are within the page of a user on a phone', async (t) => {
    const profile = { [name]: 'Ada' }
    const { id } = await fixture.service.admin.createUser({ tenantId }, { email: 'ada@example.com', profile })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${id}`, { viewport: phone })
    await page.getByRole('heading', { level: 3, name: title }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), phone.width)
  })

  test('of fields are within the changes of a version on a phone, and the views of a schema fit', async (t) => {
    const page = await fixture.open(t, `${path}?view=versions`, { viewport: phone })
    await page.getByRole('listitem').getByText(name).waitFor()
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Versions').waitFor()
    assert.deepEqual(await beyondTheEdge(page), [])
  })

  test('of senders leave their menus within the page on a phone', async (t) => {
    const sender = { type: 'smtp', name: 'm'.repeat(32), host: 'smtp.example.com', port: 587 } as const
    const { tenantId } = await fixture.service.addTenant({ configuration: { delivery: { email: [sender] } } })
    const page = await fixture.open(t, `/tenants/${tenantId}/delivery`, { viewport: phone })
    const menu = page.getByRole('button', { name: `Actions for ${sender.name}` })
    await menu.waitFor()
    const ends = async () => ((await menu.boundingBox())?.x ?? phone.width) < phone.width
    await expectSoon(ends, true)
    assert.deepEqual(await beyondTheEdge(page), [])
  })

  test('of buttons below the forms of a schema are whole on a phone', async (t) => {
    const page = await fixture.open(t, `${path}?view=forms`, { viewport: phone })
    const words = page.getByRole('button', { name: 'Add the sign-up form' }).getByText('Add the sign-up form')
    await words.waitFor()
    assert.equal(await words.evaluate((element) => element.scrollWidth - element.clientWidth), 0)
    assert.deepEqual(await beyondTheEdge(page), [])
  })

  test('of tenants leave the ends of ids and the screens whole in Go to on a phone', async (t) => {
    const { id } = await fixture.service.admin.createTenant({ name: title.repeat(2) })
    const page = await fixture.open(t, `/tenants/${id}`, { viewport: phone })
    await page.getByRole('heading', { level: 1, name: title.repeat(2) }).waitFor()
    await page.keyboard.press('Control+k')
    const options = page.getByRole('dialog', { name: 'Go to' }).getByRole('option')
    for (const text of [`…${id.slice(-6)}`, 'Sign-in and codes']) {
      const shown = options.getByText(text, { exact: true })
      await shown.waitFor()
      assert.equal(await shown.evaluate((element) => element.scrollWidth - element.clientWidth), 0, text)
    }
  })

  test('of tenants leave the other columns of the operators in view', async (t) => {
    const { admin } = fixture.service
    const { id } = await admin.createTenant({ name: title.repeat(2) })
    await admin.createOperator({ name: 'Grace', role: 'support', tenantIds: [id] })
    const page = await fixture.open(t, '/operators')
    await page.getByRole('table').getByText(title.repeat(2)).waitFor()
    const menu = await page.getByRole('button', { name: 'Actions of the operator Grace' }).boundingBox()
    assert.ok(menu !== null && menu.x + menu.width < 1280, JSON.stringify(menu))
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
