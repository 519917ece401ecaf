import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { launchBrowser, serveSite } from '../support/browser/browser.ts'
import type { PageSettings } from '../support/browser/profile-page.ts'
import { addPerson, type Person } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

type TestScope = { after(task: () => Promise<void>): void }

/** React's development build, in which StrictMode mounts each component twice. */
async function bundlePage(): Promise<string> {
  const build = await rolldown({
    input: join(import.meta.dirname, '../support/browser/profile-page.ts'),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
  })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  return output[0].code
}

/** A service, a browser, and a site with `test/support/browser/profile-page.ts`. */
export async function startProfilePages() {
  const service = await startTestService()
  const browser = await launchBrowser()
  const site = await serveSite({ '/page.js': await bundlePage() })

  /** A tenant with the schema and a user, and a browser profile with nothing stored. */
  async function arrange(t: TestScope, schema: ProfileSchemaInput) {
    const tenant = await service.addTenant({ configuration: { security: { allowedOrigins: [site.origin] } } })
    const publish = (next: ProfileSchemaInput) =>
      service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, next)
    await publish(schema)
    const person = await addPerson(service, tenant)
    const context = await browser.newContext()
    t.after(() => context.close())
    return { tenant, person, client: await person.client(), context, publish }
  }

  /** Opens the page and waits for the status of its form. Records the requests to the service. */
  async function open(
    { context, tenant, person }: { context: BrowserContext; tenant: TestTenant; person: Person },
    more: Partial<PageSettings> = {},
    status = 'ready',
  ) {
    const page = await context.newPage()
    const requests: string[] = []
    const schemas: string[] = []
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(service.baseUrl) || request.method() === 'OPTIONS') return
      requests.push(
        `${request.method()} ${request.url().slice(service.baseUrl.length)} ${request.postData() ?? ''}`.trim(),
      )
    })
    page.on('response', async (response) => {
      if (!response.url().includes('/tenant-configuration') || response.request().method() === 'OPTIONS') return
      const { profileSchema, profileSchemaDelta: delta } = JSON.parse(await response.text())
      schemas.push(delta ? `${delta.from} to ${delta.to}` : (profileSchema?.version ?? 'none'))
    })
    const { email, password } = person
    const settings = { baseUrl: service.baseUrl, tenantKey: tenant.key, email, password, ...more }
    await page.goto(`${site.origin}/#${encodeURIComponent(JSON.stringify(settings))}`)
    await page.addScriptTag({ type: 'module', url: '/page.js' })
    await reaches(page, status)
    return { page, requests, schemas, errors }
  }

  async function close(): Promise<void> {
    await browser.close()
    await site.close()
    await service.close()
  }
  return { service: service as TestService, site, arrange, open, close }
}

export type ProfilePages = Awaited<ReturnType<typeof startProfilePages>>

export const reaches = (page: Page, status: string) => page.waitForSelector(`form[data-status=${status}]`)
export const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)
export const message = (page: Page, name: string) => page.locator(`label:has(input[name=${name}]) em`)
export const save = (page: Page) => page.click('button[type=submit]')
export const ofProfile = (requests: readonly string[]) => requests.filter((line) => line.startsWith('PATCH'))
