import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { openConsole, samePage } from '../support/browser/console.ts'
import { type ConsoleFixture, signIn, startConsole } from '../support/browser/console-page.ts'
import { openRestartableConsole } from '../support/browser/restartable-console.ts'
import { expectCount, expectSearch, expectSoon, expectTexts, expectValue } from '../support/expect-soon.ts'
import { send } from '../support/http/wire.ts'
import { type TestTenant, testAdminKey } from '../support/service.ts'

const rows = (page: Page) => page.getByRole('list', { name: 'Messages, newest first' }).getByRole('listitem')
const row = (page: Page, recipient: string) => rows(page).filter({ hasText: recipient })
const clear = (page: Page) => page.getByRole('button', { name: 'Clear', exact: true })
const tenantFilter = (page: Page) => page.getByRole('main').getByRole('combobox', { name: 'Tenant' })
const recipientsIn = async (page: Page) =>
  (await rows(page).locator('bdi:first-child').allTextContents()).filter((text) => /[@+]/.test(text))

describe('the code inbox', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let acme: TestTenant
  let other: TestTenant
  before(async () => {
    fixture = await startConsole()
    acme = await fixture.service.addTenant()
    other = await fixture.service.addTenant()
    await fixture.service.admin.updateTenant({ tenantId: acme.tenantId }, { name: 'Acme Shop' })
    await fixture.service.admin.updateTenant({ tenantId: other.tenantId }, { name: 'متجر الأمل' })
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const issue = async (email: string, { client } = acme) => (await client.issueOtp({ scope: 'otp_signin', email })).id
  const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()

  test('shows a code as soon as it is requested, large, with recipient, purpose and tenant', async (t) => {
    const page = await fixture.open(t, '/code-inbox')
    await live(page)
    await page.getByText('No codes yet').waitFor()
    const times: number[] = []
    // The stream brings messages: the page asks for none.
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/testing-channel/') && asked.push(request.url()))
    for (const email of ['one@example.com', 'two@example.com', 'three@example.com']) {
      const since = performance.now()
      const id = await issue(email)
      await row(page, email).waitFor()
      times.push(performance.now() - since)
      await row(page, email)
        .getByText(await fixture.service.codeOf(id), { exact: true })
        .waitFor()
    }
    t.diagnostic(`on the screen after ${times.map(Math.round).join(', ')} ms`)
    assert.deepEqual(asked, [])
    await row(page, 'one@example.com').getByText('Acme Shop').waitFor()
    await row(page, 'one@example.com').getByText('Sign-in').waitFor()
    await expectSoon(() => recipientsIn(page), ['three@example.com', 'two@example.com', 'one@example.com'])
    await page.getByRole('button', { name: /one@example.com/ }).click()
    await page.getByText('Enter this code to sign in:').waitFor()
    await expectAccessible(page)
    const dark = await fixture.open(t, '/code-inbox', { colorScheme: 'dark', viewport: { width: 390, height: 844 } })
    await row(dark, 'one@example.com').waitFor()
    await expectAccessible(dark)
  })

  test('moves with j and k, shows the text with Enter, copies with c, and leaves letters to fields', async (t) => {
    const page = await fixture.open(t, '/code-inbox', {
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    await live(page)
    const first = await issue('first@example.com')
    await row(page, 'first@example.com').waitFor()
    await issue('second@example.com')
    await row(page, 'second@example.com').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    const focused = page.locator(':focus')
    await focused.filter({ hasText: 'first@example.com' }).waitFor()
    await page.keyboard.press('c')
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    const code = await fixture.service.codeOf(first)
    await page.getByText(`${code} is copied.`).waitFor()
    await expectSoon(clipboard, code)
    await page.keyboard.press('Enter')
    await expectSoon(() => focused.getAttribute('aria-expanded'), 'true')
    await page.keyboard.press('k')
    await focused.filter({ hasText: 'second@example.com' }).waitFor()
    const search = page.getByLabel('Filter by recipient')
    await search.click()
    await page.keyboard.type('jkc')
    await expectValue(search, 'jkc')
    assert.equal(await clipboard(), code)
  })

  test('filters by tenant and recipient in the URL, also after a reload', async (t) => {
    await issue('ada@example.com')
    await issue('ada@example.com', other)
    await issue('bob@example.com', other)
    const page = await fixture.open(t, `/code-inbox?tenantId=${other.tenantId}&utm_source=mail`)
    await live(page)
    await row(page, 'bob@example.com').waitFor()
    await expectSoon(async () => (await recipientsIn(page)).sort(), ['ada@example.com', 'bob@example.com'])
    await page.getByLabel('Filter by recipient').fill('ADA')
    await row(page, 'bob@example.com').waitFor({ state: 'detached' })
    await expectSearch(page, `?tenantId=${other.tenantId}&recipient=ADA`)
    await page.reload()
    await row(page, 'ada@example.com').waitFor()
    await expectSoon(() => recipientsIn(page), ['ada@example.com'])
    await page.getByLabel('Filter by recipient').fill('zoe')
    await page.getByText('No message to “zoe”').waitFor()
    await expectAccessible(page)
  })

  test('says how many messages a filter has found', async (t) => {
    await issue('found-ada@example.com', other)
    await issue('found-bob@example.com', other)
    const page = await fixture.open(t, `/code-inbox?tenantId=${other.tenantId}`)
    await row(page, 'found-bob@example.com').waitFor()
    const announced = page.getByRole('main').getByRole('status')
    await expectTexts(announced, ['Live', ''])
    const filter = page.getByLabel('Filter by recipient')
    await filter.fill('found-ada')
    await expectTexts(announced, ['Live', '1 message'])
    await filter.fill('found')
    await expectTexts(announced, ['Live', '2 messages'])
    // What arrives later is not said.
    await issue('found-eve@example.com', other)
    await row(page, 'found-eve@example.com').waitFor()
    await expectTexts(announced, ['Live', ''])
    await filter.fill('zoe')
    await announced.getByText('No message to “zoe”').waitFor()
  })

  test('holds messages back while it is paused', async (t) => {
    const page = await fixture.open(t, '/code-inbox')
    await live(page)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused').waitFor()
    await issue('held@example.com')
    const show = page.getByRole('button', { name: '1 message arrived meanwhile: show' })
    await show.waitFor()
    await expectCount(row(page, 'held@example.com'), 0)
    await expectAccessible(page)
    await show.click()
    await row(page, 'held@example.com').waitFor()
    await live(page)
  })

  test('clears the messages of the chosen tenant after a question', async (t) => {
    await issue('gone@example.com')
    await issue('stays@example.com', other)
    const page = await fixture.open(t, `/code-inbox?tenantId=${acme.tenantId}`)
    await row(page, 'gone@example.com').first().waitFor()
    await clear(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Acme Shop').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('No codes yet').waitFor()
    const { messages } = await fixture.service.admin.listTestingChannelMessages({})
    assert.deepEqual(new Set(messages.map(({ tenantId }) => tenantId)), new Set([other.tenantId]))
    await issue('next@example.com')
    await row(page, 'next@example.com').waitFor()
  })

  test('shows the tenants of an operator bound to some of them, and does not offer what they may not do', async (t) => {
    const { key } = await fixture.service.admin.createOperator({
      ...{ name: 'Tester', scopes: ['codes:read', 'tenants:read'], tenantIds: [other.tenantId] },
    })
    await issue('theirs@example.com', other)
    const page = await fixture.open(t, '/code-inbox', { key })
    await row(page, 'theirs@example.com').waitFor()
    await expectValue(tenantFilter(page), 'متجر الأمل')
    await expectCount(clear(page), 0)
  })

  test('shows ids in place of names to an operator who may read codes alone', async (t) => {
    const { key } = await fixture.service.admin.createOperator({ name: 'Codes', scopes: ['codes:read'] })
    await issue('alone@example.com')
    const page = await fixture.open(t, '/code-inbox', { key })
    await row(page, 'alone@example.com').getByText(acme.tenantId).waitFor()
    await expectCount(tenantFilter(page), 0)
  })

  test('goes on after the session has ended and the operator has signed in again', async (t) => {
    const { key } = await fixture.service.admin.createOperator({ name: 'Ada', role: 'admin' })
    const page = await fixture.open(t, '/code-inbox', { key, expected: [/status of 401/] })
    await live(page)
    const headers = [...samePage, await openConsole(fixture.service.baseUrl, key)]
    await send(fixture.service.baseUrl, { method: 'DELETE', path: '/admin/session?all=true', headers })
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await issue('meanwhile@example.com')
    await dialog.getByLabel('Admin key').fill(key)
    await dialog.getByRole('button', { name: 'Sign in and go on' }).click()
    await row(page, 'meanwhile@example.com').waitFor()
    await live(page)
    await issue('afterwards@example.com')
    await row(page, 'afterwards@example.com').waitFor()
    await expectSoon(
      async () => (await recipientsIn(page)).slice(0, 2),
      ['afterwards@example.com', 'meanwhile@example.com'],
    )
  })
})

test('production has no code inbox, and says why', { skip: withoutBrowser }, async (t) => {
  await using fixture = await startConsole({ environment: 'production' })
  const page = await fixture.open(t, '/code-inbox', { expected: [/status of 404/] })
  await page.getByText('Production has no code inbox').waitFor()
  await expectAccessible(page)
})

test('goes on after a restart of the server, without duplicates', { skip: withoutBrowser }, async (t) => {
  const { front, context, page, start } = await openRestartableConsole(t)
  const before = await start()
  front.forwardTo(before.baseUrl)
  const { key, client } = await before.addTenant()
  await signIn(context, before.baseUrl, testAdminKey)
  await page.goto(`${front.url}/console/code-inbox`)
  await page.getByText('Live', { exact: true }).waitFor()
  await client.issueOtp({ scope: 'otp_signin', email: 'before@example.com' })
  await row(page, 'before@example.com').waitFor()
  front.forwardTo(null)
  await page.getByText('Reconnecting…').waitFor()
  // A proxy answers while the server is away.
  await page.route('**/admin/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await page.waitForResponse('**/admin/testing-channel/messages*')
  await client.issueOtp({ scope: 'otp_signin', email: 'meanwhile@example.com' })
  await before.service.services.delivery.drain()
  await before.close()

  await using after = await start()
  front.forwardTo(after.baseUrl)
  await page.unrouteAll()
  await row(page, 'meanwhile@example.com').waitFor()
  const again = createTenantryClient({ baseUrl: after.baseUrl, tenantKey: key })
  await again.issueOtp({ scope: 'otp_signin', email: 'after@example.com' })
  await row(page, 'after@example.com').waitFor()
  await expectSoon(() => recipientsIn(page), ['after@example.com', 'meanwhile@example.com', 'before@example.com'])
})
