import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { buildConsole } from './built-console.ts'
import { consoleCookie } from './console.ts'
import { startTestService, type TestService, type TestServiceOptions, testAdminKey } from './service.ts'

/** What a test gives to have something done at its end. */
export interface EndOfTest {
  after(end: () => Promise<void>): void
}

/** How a page is opened. */
export interface OpenOptions {
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
}

/** A service with its console and a browser, for the tests of one file. */
export interface ConsoleFixture extends AsyncDisposable {
  readonly service: TestService
  readonly browser: Browser
  /**
   * A page of the console in a new browser context, signed in, at a path such as `/tenants`. At the end of the test
   * it is closed, and fails the test if the page printed an error: also for what the content security policy refused.
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
  return {
    service,
    browser,
    open: (t, path, how) => openPage(service, browser, t, path, how),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function openPage(
  { adminUrl }: TestService,
  browser: Browser,
  t: EndOfTest,
  path = '/',
  { key = testAdminKey, viewport, colorScheme = 'light', expected = [], context: more }: OpenOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: viewport ?? { width: 1280, height: 860 },
    ...{ colorScheme, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' },
    ...more,
  })
  const page = await context.newPage()
  const errors = collectErrors(page)
  t.after(async () => {
    await context.close()
    const unexpected = errors.filter((text) => !expected.some((pattern) => pattern.test(text)))
    assert.deepEqual(unexpected, [], 'errors of the page')
  })
  if (key !== null) await signIn(context, adminUrl, key)
  await page.goto(`${adminUrl}/console${path}`)
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
export function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => void errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`)
  })
  return errors
}
