import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expectSoon } from '../expect-soon.ts'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** As far as the page uses it. */
interface Axe {
  run(context: string, options: object): Promise<{ readonly violations: Violation[] }>
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let source: Promise<string> | undefined

/**
 * Asserts that axe finds no violation of WCAG 2.2 AA and of its best practices, and that the page fits.
 *
 * @param within a selector: axe looks at nothing else
 */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  await runAxe(page, within, { type: 'tag', values: tags })
  await expectFits(page, within)
}

const rulesOfColours = ['color-contrast', 'link-in-text-block']
const rulesOfWidths = ['target-size', 'scrollable-region-focusable']

/** Asserts that axe finds no violation that colours or widths can cause: for a page that was checked with others. */
export const expectReadable = (page: Page, within = 'html'): Promise<void> =>
  runAxe(page, within, { type: 'rule', values: [...rulesOfColours, ...rulesOfWidths] })

/**
 * The same where only the colours are others. To compare the sizes of what can be pressed takes half of the time of all
 * rules.
 */
export const expectReadableColours = (page: Page, within = 'html'): Promise<void> =>
  runAxe(page, within, { type: 'rule', values: rulesOfColours })

async function runAxe(
  page: Page,
  within: string,
  runOnly: { readonly type: string; readonly values: readonly string[] },
): Promise<void> {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  // A page that was checked before has it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(await source)
  await untilListsAreRead(page)
  // Colours in between are nobody's choice. What turns forever has none to wait for.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished),
    ),
  )
  await untilDialogsAreNamed(page)
  const violations = await page.evaluate(
    async ([context, only]) => {
      const { run } = (globalThis as unknown as { axe: Axe }).axe
      // The frame of a message is a separate page, which the template's author writes.
      // The only rule about styles that axe loads is experimental.
      const preload = { assets: ['media'] }
      const found = (await run(context, { runOnly: only, iframes: false, resultTypes: ['violations'], preload }))
        .violations
      return found.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html}\n${node.failureSummary}`).join('\n')}`,
      )
    },
    [within, runOnly] as const,
  )
  assert.deepEqual(violations, [], page.url())
}

/** A list dims its rows until the next ones are read. A list that is not read in time is checked as it is. */
const untilListsAreRead = (page: Page): Promise<unknown> =>
  page
    .waitForFunction(() => document.querySelector('table[aria-busy="true"]') === null, undefined, { timeout: 5_000 })
    .catch(() => {})

/** A dialog gets its name one effect after its content is shown. axe reports one that has none in time. */
const untilDialogsAreNamed = (page: Page): Promise<unknown> =>
  page
    .waitForFunction(
      () =>
        [...document.querySelectorAll('[role=dialog]')].every((one) => one.matches('[aria-label], [aria-labelledby]')),
      undefined,
      { timeout: 5_000 },
    )
    .catch(() => {})

/**
 * Asserts that the page does not scroll sideways, and that no text is wider than its box: text that is cut off ends in an
 * ellipsis, and wide content has a scroll bar. Waits, because charts take the width of a resized page some time after it.
 */
export const expectFits = (page: Page, within = 'html'): Promise<void> => expectSoon(() => tooWide(page, within), [])

/** As people set it in a browser; at 200 % nothing may be lost (WCAG 1.4.4). Others use the page, too: reset it. */
export const setTextSize = (page: Page, size: string): Promise<void> =>
  page.evaluate((fontSize) => document.documentElement.style.setProperty('font-size', fontSize), size)

/** What does not fit. */
const tooWide = (page: Page, within: string): Promise<string[]> =>
  page.evaluate((selector) => {
    const { documentElement: root } = document
    const found = root.scrollWidth > innerWidth ? [`the page: ${root.scrollWidth} px in ${innerWidth} px`] : []
    const mayBeWider = (element: Element): boolean => {
      const { overflowX, textOverflow, position, clip, clipPath, webkitLineClamp } = getComputedStyle(element)
      if (overflowX === 'auto' || overflowX === 'scroll') return true
      if (element.parentElement?.matches('.mantine-ScrollArea-viewport')) return true
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return true
      // Hidden from eyes, for screen readers.
      return ['absolute', 'fixed'].includes(position) && (clipPath !== 'none' || clip !== 'auto')
    }
    const texts = document.createTreeWalker(document.querySelector(selector)!, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const parent = node.parentElement
      if (!parent || node.textContent?.trim() === '' || !parent.checkVisibility()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { left, right, width } = range.getBoundingClientRect()
      if (width === 0) continue
      for (let box: Element | null = parent; box !== null && !mayBeWider(box); box = box.parentElement) {
        if (getComputedStyle(box).display === 'inline') continue
        const outer = box.getBoundingClientRect()
        if (outer.width > 1 && (left < outer.left - 1 || right > outer.right + 1)) {
          found.push(`"${node.textContent?.trim().slice(0, 60)}" is wider than ${box.tagName}.${box.className}`)
          break
        }
      }
    }
    return found
  }, within)
