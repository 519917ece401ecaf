import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectSoon } from '../support/expect-soon.ts'

/** Windows with a contrast theme. */
const forced = { context: { forcedColors: 'active' } } as const

describe('with forced colours', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let path: string
  before(async () => {
    fixture = await startConsole()
    path = `/tenants/${(await fixture.service.addTenant()).tenantId}`
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('switches have an edge, and those that are on differ from others', async (t) => {
    const page = await fixture.open(t, `${path}/sign-in`, forced)
    const trackOf = (name: RegExp) => page.getByRole('switch', { name }).locator('+ .mantine-Switch-track')
    const [on, off] = [trackOf(/^Password/), trackOf(/^Guest/)]
    await expectSoon(() => style(off, 'border-top-style'), 'solid')
    const differs = async () => (await style(on, 'background-color')) !== (await style(off, 'background-color'))
    await expectSoon(differs, true)
  })

  test('the current screen, view and option are marked, and dialogs have an edge', async (t) => {
    const page = await fixture.open(t, `${path}/profile-schema`, forced)
    const current = page.getByRole('link', { name: 'Profile schema' }).locator('.mantine-NavLink-label')
    await expectSoon(() => style(current, 'text-decoration-line'), 'underline')
    const view = page
      .getByRole('radiogroup', { name: 'View', exact: true })
      .locator('.mantine-SegmentedControl-indicator')
    await expectSoon(() => style(view, 'outline-style'), 'solid')
    await page.getByRole('button', { name: 'Add a field' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a field' })
    await expectSoon(() => style(dialog, 'border-top-style'), 'solid')
    const chosen = page.locator('[data-combobox-selected]')
    // The options are shown some time after the first press.
    await expectSoon(async () => {
      await dialog.getByRole('combobox').press('ArrowDown')
      return chosen.count()
    }, 1)
    await expectSoon(() => style(chosen, 'outline-style'), 'solid')
  })
})

const style = (element: Locator, property: string): Promise<string> =>
  element.evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property)
