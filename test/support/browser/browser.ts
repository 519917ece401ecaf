import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { rolldown } from 'rolldown'
import { closeWithConnections, listenOnLoopback } from '../loopback.ts'

/** Chromium without windows comes first: it loads a page with less than half of the processor time. */
const executablePath = [
  ...['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
].find(existsSync)

if (executablePath === undefined && process.env['CI']) {
  throw new Error(
    'no Chromium is installed; under CI, tests of pages are not skipped. Install Debian\'s package "chromium-headless-shell"',
  )
}

/** For the option `skip` of a browser test: the reason, or false when there is a browser. */
export const withoutBrowser: string | false = executablePath === undefined && 'no Chromium is installed'

/** Pages live for seconds here: what V8 does for hot code and for a small memory costs a sixth of the processor time. */
const forShortPages = '--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=16'

/** A new browser process with its own profile, and more arguments. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: executablePath!,
    headless: true,
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...[`--js-flags=${forShortPages}`, ...more],
    ],
  })
  browser.on('context', prepareContext)
  return browser
}

function prepareContext(context: BrowserContext): void {
  // So long that only a fault takes it on a busy machine.
  context.setDefaultTimeout(120_000)
  // Chromium begins to intercept the requests of a page some time after `page.route`: those of a busy page pass the route
  // that was just added, unseen by `waitForRequest`. With a route from the beginning, it never has to begin.
  context.route('http://never.invalid/', (route) => route.abort()).catch(() => {})
}

/** The module and what it imports, as one minified module. */
export async function bundle(path: string): Promise<string> {
  const build = await rolldown({ input: join(import.meta.dirname, '../../..', path) })
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false })
  await build.close()
  return output[0].code
}

/** An origin on this machine that serves an empty page and modules. */
export interface Site extends AsyncDisposable {
  readonly origin: string
  close(): Promise<void>
}

/** @param modules text by path, such as `/client.js` */
export async function serveSite(modules: Readonly<Record<string, string>>): Promise<Site> {
  const server = createServer(({ url = '/' }, response) => {
    const text = modules[url]
    if (text !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(text)
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Site</title>')
  })
  const port = await listenOnLoopback(server)
  const close = () => closeWithConnections(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    close,
    [Symbol.asyncDispose]: close,
  }
}
