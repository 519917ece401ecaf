import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Locator, Page } from 'playwright-core'

/**
 * Asserts that what is read becomes `expected`. Pages show the effect of an act some time after it: `assert.equal` on what a
 * page shows at once depends on the speed of the machine.
 *
 * @param withinMs fails with the last value when it does not become so in time; by default so long that only a fault takes
 *   it on a busy machine
 */
export async function expectSoon<Value>(
  read: () => Value | Promise<Value>,
  expected: Value,
  withinMs = 120_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  let value = await read()
  while (!isDeepStrictEqual(value, expected)) {
    if (performance.now() > deadline) assert.deepEqual(value, expected)
    await pause(20)
    value = await read()
  }
}

/**
 * Asserts that a page comes to show exactly this many elements. For 0, wait for what is shown beside them first: a page that
 * is still loading has none.
 */
export const expectCount = (elements: Locator, count: number): Promise<void> =>
  expectSoon(() => elements.count(), count)

export const expectTexts = (elements: Locator, texts: readonly string[]): Promise<void> =>
  expectSoon<readonly string[]>(() => elements.allTextContents(), texts)

export const expectValue = (field: Locator, value: string): Promise<void> => expectSoon(() => field.inputValue(), value)

export const expectDisabled = (control: Locator): Promise<void> => expectSoon(() => control.isDisabled(), true)

export const expectFocused = (control: Locator): Promise<void> =>
  expectSoon(() => control.evaluate((element) => element === document.activeElement), true)

/** Asserts that a person sees the lower end of an element: it is inside the window, and nothing covers or cuts it. */
export const expectInView = (shown: Locator): Promise<void> =>
  expectSoon(
    () =>
      shown.evaluate((element) => {
        const { x, bottom, width } = element.getBoundingClientRect()
        return element.contains(document.elementFromPoint(x + width / 2, bottom - 2))
      }),
    true,
  )

/** Asserts that a field is marked as refused. */
export const expectInvalid = (field: Locator): Promise<void> =>
  expectSoon(() => field.getAttribute('aria-invalid'), 'true')

/** @param search of the URL, such as `?state=failed` */
export const expectSearch = (page: Page, search: string): Promise<void> =>
  expectSoon(() => new URL(page.url()).search, search)
