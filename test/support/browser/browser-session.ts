import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Session, SessionState } from '../../../packages/client/src/index.ts'
import { type RecordingProxy, startRecordingProxy } from '../http/recording-proxy.ts'
import { addPerson, type Person } from '../person.ts'
import { startTestService, type TestService, type TestTenant } from '../service.ts'
import { bundle, launchBrowser, serveSite } from './browser.ts'

/** A service, and a browser whose pages call it through a proxy. */
export interface BrowserFixture extends AsyncDisposable {
  readonly service: TestService
  readonly tenant: TestTenant
  readonly person: Person
  readonly proxy: RecordingProxy
  readonly browser: Browser
  readonly origin: string
  /** Opens a page with a session. */
  open(context: BrowserContext): Promise<Tab>
}

/** A page with a session. */
interface Tab {
  readonly page: Page
  signIn(): Promise<void>
  signOut(): Promise<void>
  /** The id of the user that the service returns for the session, or the code or class of the error. */
  whoAmI(): Promise<string>
  state(): Promise<SessionState>
  accessToken(): Promise<string | null>
  /** Resolves once the state is this one: `signedIn`, or the reason for being signed out. */
  reaches(state: string): Promise<void>
  /** Runs the script of the page again. */
  reload(): Promise<void>
}

/** What the script of the page leaves for the test. */
type Globals = { session: Session }

export async function startBrowserFixture(): Promise<BrowserFixture> {
  await using stack = new AsyncDisposableStack()
  const service = stack.use(await startTestService())
  const proxy = stack.use(await startRecordingProxy(service.baseUrl))
  const site = stack.use(await serveSite({ '/client.js': await bundle('packages/client/src/index.ts') }))
  const tenant = await service.addTenant({
    methods: ['password', 'otp', 'guest'],
    configuration: { security: { allowedOrigins: [site.origin] } },
  })
  const person = await addPerson(service, tenant)
  const browser = await launchBrowser()
  stack.defer(() => browser.close())

  async function start(page: Page): Promise<void> {
    await page.evaluate(
      async ([baseUrl, tenantKey]) => {
        const { createTenantryClient, createSession } = await import('/client.js' as string)
        const session: Session = createSession(createTenantryClient({ baseUrl, tenantKey }))
        Object.assign(globalThis, { session })
        await session.ready()
      },
      [proxy.url, tenant.key],
    )
  }

  async function open(context: BrowserContext): Promise<Tab> {
    const page = await context.newPage()
    await page.goto(site.origin)
    await start(page)
    return {
      page,
      signIn: () =>
        page.evaluate(
          async ([email, password]) => {
            const { session } = globalThis as unknown as Globals
            await session.client.signIn({ method: 'password', email: email!, password: password! })
          },
          [person.email, person.password],
        ),
      signOut: () => page.evaluate(() => (globalThis as unknown as Globals).session.signOut()),
      whoAmI: () =>
        page.evaluate(() => {
          const { client } = (globalThis as unknown as Globals).session
          return client.getAccount().then(
            ({ id }) => id,
            (error) => error.code ?? error.name,
          )
        }),
      accessToken: () => page.evaluate(() => (globalThis as unknown as Globals).session.accessToken()),
      state: () => page.evaluate(() => (globalThis as unknown as Globals).session.state),
      async reaches(state) {
        await page.waitForFunction(
          (expected) => {
            const { session } = globalThis as unknown as Globals
            return (session.state.status === 'signedOut' ? session.state.reason : session.state.status) === expected
            // By a timer: tabs in the background have no animation frames.
          },
          state,
          { polling: 20 },
        )
      },
      async reload() {
        await page.reload()
        await start(page)
      },
    }
  }

  const kept = stack.move()
  return {
    ...{ service, tenant, person, proxy, browser, origin: site.origin, open },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
