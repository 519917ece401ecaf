import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { openConsole, samePage } from '../support/browser/console.ts'
import { type ConsoleFixture, signIn, startConsole } from '../support/browser/console-page.ts'
import { openRestartableConsole } from '../support/browser/restartable-console.ts'
import { expectSoon, expectValue } from '../support/expect-soon.ts'
import { send } from '../support/http/wire.ts'
import { testAdminKey } from '../support/service.ts'

describe('what goes wrong while one works', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole({ limitsText: 'all=off,console-sign-in=5/1h' })
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('what a proxy answers in place of the server is said in plain words', async (t) => {
    await fixture.service.addTenant()
    const page = await fixture.open(t, '/operators', { expected: [/status of 502/, /status of 429/] })
    await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor()
    await page.route('**/admin/tenants?*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.getByRole('link', { name: 'Tenants', exact: true }).click()
    const message = 'A proxy answered in place of the server, with status 502.'
    await page.getByText(message).waitFor()
    const switcher = page.getByRole('navigation').getByRole('combobox', { name: 'Tenant' })
    await switcher.click()
    // No longer than a name: it goes into a URL.
    await page.keyboard.insertText('x'.repeat(20_000))
    await expectValue(switcher, 'x'.repeat(200))
    await page.getByRole('listbox').getByText(message).waitFor()
    await page.keyboard.press('Escape')
    await page.unrouteAll()
    const refuse = { status: 429, contentType: 'text/html', body: '<h1>Too many requests</h1>' }
    await page.route('**/admin/tenants?*', (route) => route.fulfill(refuse))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('A proxy refused the request').and(page.getByText('Wait a minute, then try again.')).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Test tenant' }).first().waitFor()
  })

  test('what a proxy answers to a sign-in is said in plain words, too', async (t) => {
    const page = await fixture.open(t, '/sign-in', { key: null, expected: [/status of 502/] })
    const refuse = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }
    await page.route('**/admin/session', (route) => route.fulfill(refuse))
    await page.getByLabel('Admin key').fill(testAdminKey)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('A proxy answered in place of the server, with status 502.').waitFor()
  })

  test('a session that ends while one types: the dialog goes on with what was typed', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { expected: [/status of 401/] })
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('billing')
    await page.getByLabel('Secret').check()
    const [name, value] = await openConsole(fixture.service.baseUrl, testAdminKey)
    const headers = [...samePage, [name, value] as const]
    await send(fixture.service.baseUrl, { method: 'DELETE', path: '/admin/session?all=true', headers })
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    // Not the dialog below it.
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Admin key').fill(testAdminKey)
    await dialog.getByRole('button', { name: 'Sign in and go on' }).click()
    await page.getByText('This is the only time the key is shown').waitFor()
    const { items } = await fixture.service.admin.listTenantKeys({ tenantId }, {})
    assert.deepEqual(
      items.filter((key) => key.name === 'billing').map(({ kind }) => kind),
      ['secret'],
    )
  })

  test('leaving what is not saved asks first, also at sign-out', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`)
    await page.getByLabel('Digits').fill('8')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    for (const leave of [
      () => page.getByRole('link', { name: 'Users' }).click(),
      () => page.getByRole('button', { name: 'Sign out' }).click(),
    ]) {
      await leave()
      await dialog.getByRole('button', { name: 'Stay' }).click()
      await dialog.waitFor({ state: 'detached' })
      await expectValue(page.getByLabel('Digits'), '8')
    }
    await page.getByRole('button', { name: 'Sign out' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Sign in to Tenantry' }).waitFor()
  })

  // The last of these: no operator can sign in after it.
  test('too many sign-ins: the time left is counted down', async (t) => {
    const page = await fixture.open(t, '/sign-in', { key: null, expected: [/status of (401|429)/] })
    const alert = page.getByRole('alert')
    for (let attempt = 0; attempt < 6; attempt++) {
      await page.getByLabel('Admin key').fill('wrong')
      const answered = page.waitForResponse('**/admin/session')
      await page.keyboard.press('Enter')
      if ((await answered).status() === 429) break
    }
    await alert.getByText('TOO_MANY_REQUESTS').waitFor()
    const secondsLeft = async () => Number(/in (\d+) s/.exec((await alert.textContent()) ?? '')?.[1])
    await expectSoon(async () => (await secondsLeft()) > 60, true)
    const first = await secondsLeft()
    await page.waitForFunction((from) => {
      const [, seconds] = /in (\d+) s/.exec(document.querySelector('[role=alert]')?.textContent ?? '') ?? []
      return Number(seconds) < from
    }, first)
  })
})

test('a server that restarts: the save fails, what was typed stays, and the next one works', {
  skip: withoutBrowser,
}, async (t) => {
  const { front, context, page, start } = await openRestartableConsole(t)
  const before = await start()
  front.forwardTo(before.baseUrl)
  const { tenantId } = await before.addTenant()
  await signIn(context, before.baseUrl, testAdminKey)
  await page.goto(`${front.url}/console/tenants/${tenantId}/sign-in`)
  await page.getByLabel('Digits').fill('8')
  front.forwardTo(null)
  await before.close()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The server did not answer').waitFor()
  await expectValue(page.getByLabel('Digits'), '8')
  await using again = await start()
  front.forwardTo(again.baseUrl)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal((await again.admin.readConfiguration({ tenantId })).otp?.length, 8)
})
