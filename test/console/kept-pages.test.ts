import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount } from '../support/expect-soon.ts'

describe('a page that several tests use', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** A test that ends with a call of `end`. */
  function newTest() {
    const ends: (() => Promise<void>)[] = []
    const end = async () => {
      for (const one of ends) await one()
    }
    return { after: (one: () => Promise<void>) => void ends.push(one), end }
  }

  test('shows nothing of the test before: no answer, toast, dialog, draft, size or medium', async () => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Bakery' })
    const before = newTest()
    const first = await fixture.open(before, `/tenants/${tenantId}`, { viewport: { width: 390, height: 844 } })
    await first.getByRole('button', { name: 'Change', exact: true }).click()
    await first.getByRole('menuitem', { name: 'Rename' }).click()
    await first.getByRole('textbox', { name: 'Name' }).fill('Bank')
    await first.keyboard.press('Enter')
    await first.locator('.mantine-Notifications-notification').waitFor()
    await first.keyboard.press('?')
    await first.getByRole('dialog').waitFor()
    await first.route('**/admin/**', (route) => route.abort())
    await first.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'no-preference' })
    await before.end()

    await admin.updateTenant({ tenantId }, { name: 'Café' })
    const { key } = await admin.createOperator({ name: 'Ada', scopes: ['tenants:read'], tenantIds: [tenantId] })
    const now = newTest()
    const second = await fixture.open(now, `/tenants/${tenantId}`, { key })
    assert.ok(second === first)
    await second.getByRole('heading', { level: 1, name: 'Café' }).waitFor()
    await expectCount(second.getByText(/Bank|Bakery/), 0)
    await expectCount(second.getByRole('dialog'), 0)
    await expectCount(second.locator('.mantine-Notifications-notification'), 0)
    await expectCount(second.getByRole('button', { name: 'Change', exact: true }), 0)
    assert.equal(second.viewportSize()?.width, 1280)
    const media = 'screen and (prefers-color-scheme: light) and (prefers-reduced-motion: reduce)'
    assert.ok(await second.evaluate((query) => matchMedia(query).matches, media))
    await now.end()
  })

  test('is loaded again when the browser remembers something', async () => {
    const before = newTest()
    const first = await fixture.open(before, '/tenants')
    await first.getByRole('button', { name: 'Colour scheme' }).click()
    await first.getByRole('menuitem', { name: 'Dark' }).click()
    await before.end()
    const now = newTest()
    const second = await fixture.open(now, '/tenants')
    assert.ok(second !== first)
    assert.ok(first.isClosed())
    await now.end()
  })
})
