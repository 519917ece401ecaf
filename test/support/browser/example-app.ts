import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { build, preview } from 'vite'
import { demoProfileSchema } from '../../../demo/profile-schema.ts'
import { startTestService, type TestService, type TestTenant } from '../service.ts'
import { launchBrowser } from './browser.ts'
import type { EndOfTest } from './console-page.ts'

const root = join(import.meta.dirname, '../../..')
const source = join(root, 'packages/client/src')

/** `examples/react`, built and served for a tenant of a service. */
interface ExampleApp extends AsyncDisposable {
  readonly url: string
  readonly tenant: TestTenant
  /** The latest code that the service sent to an address. */
  codeFor(address: string): Promise<string>
}

/** The example, its service and a browser, for the tests of one file. */
export interface ExampleFixture extends ExampleApp {
  readonly service: TestService
  readonly browser: Browser
  /** A page that was never signed in, at a path such as `#/reset-password`. */
  open(t: EndOfTest, path?: string, context?: BrowserContextOptions): Promise<Page>
  /** Signs in on the first screen, and waits for the profile. */
  signIn(page: Page, email: string, password: string): Promise<void>
}

/** Use `{ skip: withoutBrowser }` on the suite. Its clock begins now, because pages compare times with their own. */
export async function startExample(): Promise<ExampleFixture> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startTestService({ start: Date.now() }))
  const example = stack.use(await serveExample(service))
  const browser = await launchBrowser()
  stack.defer(() => browser.close())
  const kept = stack.move()
  return {
    ...example,
    service,
    browser,
    async open(t, path = '', options = {}) {
      const context = await browser.newContext({ locale: 'en-US', ...options })
      t.after(() => context.close())
      const page = await context.newPage()
      await page.goto(`${example.url}${path}`)
      return page
    },
    signIn,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Password', { exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
}

/** Builds the example from the sources of the client, and serves it from an origin that the tenant allows. */
export async function serveExample(service: TestService): Promise<ExampleApp> {
  await using stack = new AsyncDisposableStack()
  stack.defer(keepNodeEnv())
  const outDir = await mkdtemp(join(tmpdir(), 'tenantry-example-'))
  stack.defer(() => rm(outDir, { recursive: true, force: true }))
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, demoProfileSchema)
  const app = { root: join(root, 'examples/react'), logLevel: 'warn', build: { outDir, emptyOutDir: true } } as const
  await build({
    ...app,
    resolve: {
      alias: [
        { find: /^@tenantry\/client$/, replacement: join(source, 'index.ts') },
        { find: /^@tenantry\/client\/(\w+)$/, replacement: join(source, '$1.ts') },
      ],
    },
    define: {
      'import.meta.env.VITE_TENANTRY_URL': JSON.stringify(service.baseUrl),
      'import.meta.env.VITE_TENANTRY_KEY': JSON.stringify(tenant.key),
    },
  })
  const server = await preview({ ...app, preview: { host: '127.0.0.1', port: 0 } })
  stack.defer(() => server.close())
  const url = server.resolvedUrls!.local[0]!
  await service.admin.updateConfiguration(
    { tenantId: tenant.tenantId },
    { security: { allowedOrigins: [new URL(url).origin] } },
  )
  const kept = stack.move()
  return {
    url,
    tenant,
    async codeFor(address) {
      await service.service.services.delivery.drain()
      const { messages } = await service.admin.listTestingChannelMessages({ tenantId: tenant.tenantId })
      const code = messages.findLast(({ recipient }) => recipient === address)?.code
      if (!code) throw new Error(`No code was sent to ${address}`)
      return code
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Vite sets NODE_ENV, which decides what other tests of this process get from React. Returns what sets it back. */
function keepNodeEnv(): () => void {
  const { NODE_ENV } = process.env
  return () => {
    delete process.env['NODE_ENV']
    if (NODE_ENV !== undefined) process.env['NODE_ENV'] = NODE_ENV
  }
}
