import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, expectFits, expectReadableColours, setTextSize } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addShownTenant, type ShownTenant } from '../support/browser/shown-tenant.ts'
import { expectCount, expectInView, expectSoon } from '../support/expect-soon.ts'
import { type ScreenCase, screens } from './screens.ts'

const wide = { width: 1280, height: 860 }
const narrow = { width: 390, height: 844 }

test('every route has a line in the table of screens', async () => {
  const routes = await readFile(join(import.meta.dirname, '../../console/routes.tsx'), 'utf8')
  const paths = [...routes.matchAll(/path: '([^']+)',.* import\(/g)].map(([, path]) => path!)
  assert.ok(paths.length > 10)
  const known = new Set(screens.map(({ path }) => path.replaceAll(':', '$').split('?')[0]))
  assert.deepEqual(
    paths.filter((path) => !known.has(path)),
    [],
  )
})

describe('every screen', { skip: withoutBrowser, concurrency: 3 }, () => {
  let fixture: ConsoleFixture
  let tenant: ShownTenant
  before(async () => {
    fixture = await startConsole({ start: Date.now() - 86_400_000, sealsEvents: true })
    tenant = await addShownTenant(fixture.service)
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const pathOf = ({ path }: ScreenCase): string =>
    path.replace(':tenantId', tenant.tenantId).replace(':userId', tenant.userId)

  /** Waits until everything of a screen is shown. */
  async function shown(page: Page, { heading, shows }: ScreenCase): Promise<void> {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    const main = page.getByRole('main')
    for (const text of shows) await main.getByText(text).filter({ visible: true }).first().waitFor()
    await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  }

  for (const screen of screens) {
    test(`${screen.path} is accessible and fits, light and dark, 1280 and 390 px wide`, async (t) => {
      const page = await fixture.open(t, pathOf(screen))
      await shown(page, screen)
      await expectSoon(async () => / · Tenantry$/.test(await page.title()), true)
      await expectCount(page.locator('h1'), 1)
      for (const viewport of [wide, narrow]) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
          await (colorScheme === 'light' ? expectAccessible(page) : expectReadableColours(page))
        }
      }
      // A browser at 200 % has half of the width in CSS pixels (WCAG 1.4.4, 1.4.10).
      await page.setViewportSize({ width: 640, height: 430 })
      await expectFits(page)
      await page.setViewportSize(narrow)
      await setTextSize(page, '200%')
      await expectFits(page)
      // Names distinguish the rows.
      await expectSoon(() => page.locator('.row-name').evaluateAll(namesWithoutRoom), [])
      // A name has one line.
      if (!/:(tenant|user)Id$/.test(screen.path))
        await expectSoon(
          () => page.locator('h1').evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight),
          true,
        )
      // Others use the page, too.
      await setTextSize(page, '100%')
    })
  }

  test('with a large text, every button of the bar is within reach of a phone', async (t) => {
    const page = await fixture.open(t, '/', { viewport: narrow, isNew: true })
    await shown(page, screens[0]!)
    await setTextSize(page, '200%')
    const signOut = page.getByRole('button', { name: 'Sign out' })
    await signOut.scrollIntoViewIfNeeded()
    await expectInView(signOut)
  })
})

/** Names in lists that are cut off after a few letters. */
const namesWithoutRoom = (names: readonly Element[]): (string | null)[] =>
  names.filter((name) => name.clientWidth < 150).map(({ textContent }) => textContent)
