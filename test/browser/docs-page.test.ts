import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, withoutBrowser } from '../support/browser/browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

describe('the documentation page in a browser', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  before(async () => {
    service = await startTestService()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await service?.close()
  })

  test('shows every operation without an error, and lets the document be downloaded', async (t) => {
    const page = await browser.newPage()
    t.after(() => page.close())
    const failures: string[] = []
    page.on('pageerror', ({ message }) => failures.push(message))
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
    page.on('requestfailed', (request) => failures.push(request.url()))
    await page.goto(`${service.baseUrl}/docs#tag/tenants`)
    await page.getByText('Create a tenant').first().waitFor()
    await page.getByText('This page is sandboxed').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText('Download OpenAPI Document').click(),
    ])
    assert.equal(JSON.parse(await readFile(await download.path(), 'utf8')).openapi, '3.1.0')
    assert.deepEqual(failures, [])
  })

  test('shows commands without optional parameters, and with names in place of keys and tokens', async (t) => {
    const page = await browser.newPage()
    t.after(() => page.close())
    await page.goto(`${service.baseUrl}/docs#tag/account/PATCH/account/profile`)
    const command = page.locator('pre').filter({ hasText: '--request PATCH' })
    const [first, ...headers] = ((await command.first().textContent()) ?? '').split(' \\\n')
    assert.match(first!, /^curl \S+\/account\/profile$/)
    assert.deepEqual(headers.map((line) => line.trim()).slice(0, -1), [
      '--request PATCH',
      "--header 'Content-Type: application/json'",
      "--header 'X-Tenant-Key: TENANT_KEY'",
      "--header 'Authorization: Bearer ACCESS_TOKEN'",
    ])
  })

  test('gives its scripts neither the origin of the server nor a way to send requests (threat K01)', async (t) => {
    const page = await browser.newPage()
    t.after(() => page.close())
    await page.goto(`${service.baseUrl}/docs`)
    const received: string[] = []
    service.service.http.server.on('request', ({ url = '' }: { url?: string }) => received.push(url))
    const outcomes = await page.evaluate(async () => {
      const outcomeOf = async (act: () => unknown) => {
        try {
          await act()
          return 'done'
        } catch (error) {
          return (error as Error).name
        }
      }
      return {
        origin: window.origin,
        cookie: await outcomeOf(() => document.cookie),
        blocked: await new Promise((resolve) => {
          const blocked: string[] = []
          document.addEventListener('securitypolicyviolation', ({ blockedURI }) => {
            if (blocked.push(new URL(blockedURI).pathname) === 2) resolve(blocked.sort())
          })
          navigator.sendBeacon('/admin/beacon')
          fetch('/admin/fetch').catch(() => {})
        }),
      }
    })
    assert.deepEqual(outcomes, {
      origin: 'null',
      cookie: 'SecurityError',
      blocked: ['/admin/beacon', '/admin/fetch'],
    })
    assert.deepEqual(
      received.filter((url) => url.startsWith('/admin')),
      [],
    )
  })
})
