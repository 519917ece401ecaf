import type { Page } from 'playwright-core'
import { expectSoon } from '../expect-soon.ts'
import { expectAccessible, expectFits, expectReadable, expectReadableColours } from './accessible-page.ts'

/** A dialog of the console, and what is to be seen of it. */
export interface ExpectedDialog {
  /** Its accessible name. */
  readonly name: string
  /** What has the focus first: a field, or a button that loses nothing. */
  readonly focus: string
  readonly open: (page: Page) => Promise<unknown>
  /** What has the focus afterwards: what opened it. */
  readonly returns: string | RegExp
  /** Closes it, where Escape alone does not. */
  readonly close?: (page: Page) => Promise<unknown>
}

/** Presses a button of the screen. */
export const press = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click()

/** Chooses an item of a menu. */
export const choose = (menu: string, item: string) => async (page: Page) => {
  await press(menu)(page)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

const dialogs = '[role=dialog]'
const wide = { width: 1280, height: 860 }
const narrow = { width: 390, height: 844 }

/** The name of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement
    return (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim()
  })

async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
}

/**
 * Opens a dialog and asserts that it is accessible and fits, in light and dark, 1280 and 390 px wide, that the focus is
 * where it belongs, and that Escape closes it and gives the focus back.
 */
export async function expectDialog(page: Page, { name, focus, open, returns, close }: ExpectedDialog): Promise<void> {
  await open(page)
  const dialog = page.getByRole('dialog', { name, exact: true })
  await dialog.waitFor()
  await expectSoon(() => focused(page), focus)
  await expectAccessible(page, dialogs)
  await inScheme(page, 'dark')
  await expectReadableColours(page, dialogs)
  await page.setViewportSize(narrow)
  await expectFits(page, dialogs)
  await expectReadable(page, dialogs)
  await inScheme(page, 'light')
  await expectReadableColours(page, dialogs)
  await page.setViewportSize(wide)
  await page.keyboard.press('Escape')
  await close?.(page)
  await dialog.waitFor({ state: 'detached' })
  await (typeof returns === 'string'
    ? expectSoon(() => focused(page), returns)
    : expectSoon(async () => returns.test(await focused(page)), true))
}
