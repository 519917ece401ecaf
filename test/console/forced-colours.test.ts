import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { contrastOf, styleOf } from '../support/browser/contrast.ts'
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
    await expectSoon(() => styleOf(off, 'border-top-style'), 'solid')
    const differs = async () => (await styleOf(on, 'background-color')) !== (await styleOf(off, 'background-color'))
    await expectSoon(differs, true)
  })

  test('the current screen, view and option are marked, and dialogs have an edge', async (t) => {
    const page = await fixture.open(t, `${path}/profile-schema`, forced)
    const current = page.getByRole('link', { name: 'Profile schema' }).locator('.mantine-NavLink-label')
    await expectSoon(() => styleOf(current, 'text-decoration-line'), 'underline')
    const view = page
      .getByRole('radiogroup', { name: 'View', exact: true })
      .locator('.mantine-SegmentedControl-indicator')
    await expectSoon(() => styleOf(view, 'outline-style'), 'solid')
    await page.getByRole('button', { name: 'Add a field' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a field' })
    await expectSoon(() => styleOf(dialog, 'border-top-style'), 'solid')
    const chosen = page.locator('[data-combobox-selected]')
    // The options are shown some time after the first press.
    await expectSoon(async () => {
      await dialog.getByRole('combobox').press('ArrowDown')
      return chosen.count()
    }, 1)
    await expectSoon(() => styleOf(chosen, 'outline-style'), 'solid')
  })
})

describe('with more contrast', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const colorScheme of ['light', 'dark'] as const)
    test(`inputs, buttons and panels have clear edges, and quiet text is clear, ${colorScheme}`, async (t) => {
      const { tenantId } = await fixture.service.addTenant({ methods: ['otp', 'google'] })
      const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { colorScheme, context: { contrast: 'more' } })
      const panel = page.locator('.panel').first()
      const contrastTo = async (element: Locator, property: string) =>
        contrastOf(await styleOf(element, property), await styleOf(panel, 'background-color'))
      const edges = {
        input: page.getByLabel('Digits'),
        checkbox: page.getByRole('checkbox', { name: 'Also accept tokens with the nonce itself' }).first(),
        panel,
      }
      for (const [name, element] of Object.entries(edges)) {
        const contrast = await contrastTo(element, 'border-top-color')
        assert.ok(contrast >= 4.5, `${name}: ${contrast.toFixed(2)}`)
      }
      const quiet = await contrastTo(page.getByText(/^A code has/), 'color')
      assert.ok(quiet >= 7, `quiet text: ${quiet.toFixed(2)}`)
    })
})
