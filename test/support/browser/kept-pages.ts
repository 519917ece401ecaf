import type { BrowserContext, Page } from 'playwright-core'

/**
 * Signed-out pages of finished tests. To load the console takes ten times as long as to sign in to it again, which forgets
 * everything that was shown. So a page is loaded once for each test that runs at the same time.
 */
export interface KeptPages {
  /**
   * A page without a trace of other tests, loaded from its address or signed in again.
   *
   * @param prepare is called before anything of the screen is shown
   */
  open(path: string, key: string, prepare: (page: Page) => Promise<void>): Promise<Page>
  /** Keeps a page for the next test, unless something of this one stays in it. */
  keep(page: Page): Promise<void>
}

interface Console {
  /** Its origin. */
  readonly url: string
  /** A new context in which an operator is signed in. */
  newContext(key: string): Promise<BrowserContext>
}

/** What the console remembers of an operator who has chosen nothing. */
const defaults: Readonly<Record<string, string>> = { 'tenantry.letter-keys': '"on"', 'tenantry.page-size': '50' }

const events = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed', 'response'] as const

export function keepPages({ url, newContext }: Console): KeptPages {
  const kept: Page[] = []
  return {
    async open(path, key, prepare) {
      const page = kept.pop()
      if (page !== undefined) {
        await prepare(page)
        await signInAgain(page, path, key)
        return page
      }
      const loaded = await (await newContext(key)).newPage()
      await prepare(loaded)
      await loaded.goto(`${url}/console${path}`)
      return loaded
    },
    async keep(page) {
      if (await isClean(page, url)) kept.push(page)
      else await page.context().close()
    },
  }
}

const signInScreen = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in to Tenantry' })

/** As an operator does, on the page of another one. */
async function signInAgain(page: Page, path: string, key: string): Promise<void> {
  await show(page, `/console/sign-in?to=${encodeURIComponent(path)}`)
  await page.getByLabel('Admin key').fill(key)
  await page.keyboard.press('Enter')
  await signInScreen(page).waitFor({ state: 'detached' })
}

/** Shows a screen without loading the page, also when a draft would be lost. */
const show = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState({ __TSR_key: crypto.randomUUID() }, '', to), path)

/** Leaves the screen, and tells whether the next test can use the page. */
async function isClean(page: Page, url: string): Promise<boolean> {
  if (page.isClosed() || new URL(page.url()).origin !== new URL(url).origin) return false
  for (const event of events) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // What is remembered in the browser is read when the page is loaded. The console writes its defaults, too.
  const remembered = await page.evaluate(() => Object.entries(localStorage))
  if (remembered.some(([name, value]) => defaults[name] !== value)) return false
  await show(page, '/console/sign-in')
  await signInScreen(page).waitFor()
  await page.mouse.move(0, 0)
  const toasts = page.locator('.mantine-Notifications-notification')
  await toasts.locator('button').evaluateAll((buttons) => {
    for (const button of buttons as HTMLElement[]) button.click()
  })
  await toasts.first().waitFor({ state: 'detached' })
  return true
}
