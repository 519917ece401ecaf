import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/console-page.ts'

/** A window of 1280 × 860 at 200 %, where what stays in its place covers most. */
const zoomed = { width: 640, height: 430 }

describe('what has the focus is in view', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  before(async () => {
    fixture = await startConsole()
    tenantId = (await fixture.service.addTenant()).tenantId
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const key of ['Tab', 'Shift+Tab'])
    test(`${key}: neither the bar at the top nor that of unsaved changes covers it`, async (t) => {
      const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { viewport: zoomed })
      await page.getByRole('switch', { name: /^One-time code/ }).press('Space')
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
      await page.getByRole('heading', { level: 1 }).focus()
      const hidden: string[] = []
      const seen = new Set<string>()
      for (let presses = 0; presses < 60; presses++) {
        await page.keyboard.press(key)
        const { name, isCovered } = await focused(page)
        seen.add(name)
        if (isCovered) hidden.push(name)
      }
      assert.deepEqual(hidden, [])
      assert.ok(seen.size > 20, `${seen.size} elements`)
    })
})

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!
    const bars = [...document.querySelectorAll('header, [aria-label="Unsaved changes"]')]
    const name = `${element.tagName} ${element.id || element.textContent}`
    const isAbove = element === document.body || element.matches('.skip-link')
    if (isAbove || bars.some((bar) => bar.contains(element))) return { name, isCovered: false }
    const { top, bottom } = element.getBoundingClientRect()
    const [header, unsaved] = bars.map((bar) => bar.getBoundingClientRect())
    return { name, isCovered: top < header!.bottom || bottom > unsaved!.top }
  })
