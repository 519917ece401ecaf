import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import {
  consoleHeaders,
  consolePagePolicy,
  mailFramePolicy,
  scriptOfMailFrame,
} from '../../contract/admin/console-policy.ts'
import { launchBrowser, withoutBrowser } from '../support/browser/browser.ts'
import { collectErrors, signIn } from '../support/browser/console-page.ts'
import { type DevelopmentServer, startDevelopmentServer } from '../support/browser/development-server.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'

let service: TestService
let development: DevelopmentServer
let browser: Browser
before(async () => {
  if (withoutBrowser) return
  service = await startTestService({ environment: 'staging', start: Date.now() })
  development = await startDevelopmentServer(service.baseUrl)
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await development?.[Symbol.asyncDispose]()
  await service?.close()
})
const options = { skip: withoutBrowser }

const policyOf = async (url: string) => {
  const { headers } = await fetch(url, { headers: { accept: 'text/html' } })
  return headers.get('content-security-policy')!.replaceAll(/nonce-[^']+/g, 'nonce-…')
}

test('the development server sends the policies of the service, and the nonce of its own script', options, async () => {
  const page = consolePagePolicy('…').replace("script-src 'self'", "script-src 'self' 'nonce-…'")
  for (const path of ['/console/', '/console/tenants', '/console/index.html'])
    assert.equal(await policyOf(development.url + path), page, path)
  const frame = await readFile(join(import.meta.dirname, '../../console/public/mail-frame.html'), 'utf8')
  const hash = createHash('sha256').update(scriptOfMailFrame(frame)).digest('base64')
  assert.equal(await policyOf(`${development.url}/console/mail-frame.html`), mailFramePolicy(hash))
  const { headers } = await fetch(`${development.url}/console/`)
  for (const [name, value] of Object.entries(consoleHeaders)) assert.equal(headers.get(name), value)
})

test('screens work under this policy, and an edit is shown without loading the page', options, async () => {
  const context = await browser.newContext({ locale: 'en-US' })
  // Vite prepares packages and compiles every module with the first visit, which takes a loaded machine a minute.
  context.setDefaultTimeout(0)
  context.setDefaultNavigationTimeout(0)
  const page = await context.newPage()
  const errors = collectErrors(page)
  // An edit before this is not sent to the page.
  const connected = page.waitForEvent('console', (message) => message.text().includes('[vite] connected'))
  await page.goto(`${development.url}/console/sign-in`)
  const label = page.getByLabel('Admin key')
  await label.waitFor()
  await connected
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await development.edit('session/key-form.tsx', 'label="Admin key"', 'label="Key of an operator"')
  await page.getByLabel('Key of an operator').waitFor()
  assert.equal(await page.evaluate(() => 'isSame' in window), true)

  await signIn(context, service.baseUrl, testAdminKey)
  await page.goto(`${development.url}/console/tenants`)
  await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
  await page.getByText('No tenants yet').waitFor()
  assert.deepEqual(errors, [])
  await context.close()
})
