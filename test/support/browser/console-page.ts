import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startTestService, type TestService, type TestServiceOptions, testAdminKey } from '../service.ts'
import { launchBrowser } from './browser.ts'
import { buildConsole } from './built-console.ts'
import { consoleCookie } from './console.ts'
import { type KeptPages, keepPages } from './kept-pages.ts'

/** What a test gives to have something done at its end. */
export interface EndOfTest {
  after(end: () => Promise<void>): void
}

/** How a page is opened. */
interface OpenOptions {
  /** Whose key signs in; the root key unless given, no operator for null. */
  readonly key?: string | null
  readonly viewport?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  /**
   * Console errors that the flow causes, such as `/status of 412/`: browsers print one for each refusal. Any other error
   * fails the test.
   */
  readonly expected?: readonly RegExp[]
  readonly context?: BrowserContextOptions
  /** Set where no other test may use the page: this one needs what is not loaded yet, sets its clock, or closes it. */
  readonly isNew?: true
}

/** A service with its console and a browser, for the tests of one file. */
export interface ConsoleFixture extends AsyncDisposable {
  readonly service: TestService
  readonly browser: Browser
  /**
   * A page of the console, signed in, at a path such as `/tenants`. It shows nothing of other tests, though it may be the
   * page of a finished one. It fails the test if it printed an error: also for what the content security policy refused.
   */
  open(t: EndOfTest, path?: string, options?: OpenOptions): Promise<Page>
}

/** Use `{ skip: withoutBrowser }` on the suite. Its clock begins now, because pages compare times with their own. */
export async function startConsole(options: TestServiceOptions = {}): Promise<ConsoleFixture> {
  buildConsole()
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startTestService({ environment: 'staging', start: Date.now(), ...options }))
  const browser = await launchBrowser()
  stack.defer(() => browser.close())
  const kept = stack.move()
  const url = service.adminUrl
  async function newContext(key: string | null, more?: BrowserContextOptions): Promise<BrowserContext> {
    const context = await browser.newContext({ ...defaults, ...more })
    if (key !== null) await signIn(context, url, key)
    return context
  }
  const pages = keepPages({ url, newContext })
  return {
    service,
    browser,
    open: (t, path, how) => openPage({ url, newContext, pages }, t, path, how),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const defaults = { locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' } as const
const desktop = { width: 1280, height: 860 }

interface Opener {
  readonly url: string
  readonly newContext: (key: string | null, more?: BrowserContextOptions) => Promise<BrowserContext>
  readonly pages: KeptPages
}

async function openPage(
  { url, newContext, pages }: Opener,
  t: EndOfTest,
  path = '/',
  { key = testAdminKey, viewport = desktop, colorScheme = 'light', expected = [], context, isNew }: OpenOptions = {},
): Promise<Page> {
  const errors: string[] = []
  const prepare = async (page: Page): Promise<void> => {
    collectErrors(page, errors)
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: defaults.reducedMotion, media: null })
  }
  let page: Page
  if (isNew || context !== undefined || key === null) {
    page = await (await newContext(key, context)).newPage()
    await prepare(page)
    await page.goto(`${url}/console${path}`)
    t.after(() => page.context().close())
  } else {
    page = await pages.open(path, key, prepare)
    t.after(() => pages.keep(page))
  }
  t.after(async () => {
    const unexpected = errors.filter((text) => !expected.some((pattern) => pattern.test(text)))
    assert.deepEqual(unexpected, [], 'errors of the page')
  })
  return page
}

/** Signs a browser in without a page. */
export async function signIn(context: BrowserContext, url: string, key: string): Promise<void> {
  const [name, value] = (await consoleCookie(url, key)).split('=')
  // Chromium keeps the cookie of an http page on this machine, but cannot be given it.
  const cookie = { name: name!, value: value!, httpOnly: true, secure: true, sameSite: 'Strict' } as const
  await context.addCookies([{ ...cookie, url: url.replace('http:', 'https:') }])
}

/** What a page prints as an error or throws; a refusal of the content security policy is an error, too. */
export function collectErrors(page: Page, errors: string[] = []): string[] {
  page.on('pageerror', ({ message }) => void errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`)
  })
  return errors
}
