import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { signInToConsole } from '../support/browser/console.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { expectCount, expectSearch, expectValue } from '../support/expect-soon.ts'
import { refused } from '../support/refused.ts'

const password = 'a long password of Ada 7'
const rows = (page: Page) => page.getByRole('table', { name: 'Events, newest first' }).locator('tbody tr')
const row = (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text })

describe('the activity of a tenant', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  let userId: string
  let operatorKey: string
  before(async () => {
    fixture = await startConsole()
    const { admin } = fixture.service
    const tenant = await fixture.service.addTenant()
    tenantId = tenant.tenantId
    operatorKey = (await admin.createOperator({ name: 'عائشة', role: 'admin' })).key
    userId = (await admin.createUser({ tenantId }, { email: 'ada@example.com', password })).id
    await tenant.client.signIn({ method: 'password', email: 'ada@example.com', password })
    await refused(
      tenant.client.signIn({ method: 'password', email: 'ada@example.com', password: 'wrong' }),
      'INVALID_CREDENTIALS',
    )
    await admin.updateTenant({ tenantId }, { name: 'Acme Shop' })
    await fixture.service.service.services.events.drain()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('a request id of digits in a link is taken as it is written', async (t) => {
    const id = '12345678901234567890'
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?requestId=${id}`)
    await page.getByText(id, { exact: true }).waitFor()
    await expectSearch(page, `?requestId=${id}`)
  })

  test('ignores what a mail program adds to a link', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?utm_source=mail`)
    await row(page, 'signed in with a password').first().waitFor()
  })

  test('a time that is typed over slowly keeps its other parts', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?since=2026-03-05T10:00:00.000Z`)
    const since = page.getByLabel('Since')
    await expectValue(since, '2026-03-05T10:00')
    await since.focus()
    // The filter is off until the month is whole.
    await page.keyboard.type('0')
    await expectSearch(page, '')
    await page.keyboard.type('4062027')
    await expectSearch(page, '?since=2027-04-06T10%3A00%3A00.000Z')
    await expectValue(since, '2027-04-06T10:00')
  })

  test('shows what happened meanwhile, and what the operator does on the page of a user', async (t) => {
    const { admin, service } = fixture.service
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    const created = row(page, 'created the user')
    await created.first().waitFor()
    const before = await created.count()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await admin.createUser({ tenantId }, { email: 'grace@example.com' })
    await service.services.events.drain()
    await page.getByRole('link', { name: 'Activity' }).last().click()
    await expectCount(created, before + 1)
    await created.first().getByRole('link').last().click()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'Lift the suspension' }).waitFor()
    await service.services.events.drain()
    await row(page, 'suspended the user').waitFor()
  })

  test('says in sentences who did what, and opens the details with changes and the request', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await row(page, /the user …\w+ signed in with a password/i).waitFor()
    await row(page, /A sign-in with a password as the user …\w+ was refused/i)
      .getByText('INVALID_CREDENTIALS')
      .waitFor()
    await expectAccessible(page)
    await row(page, 'The root key changed the tenant Acme Shop')
      .getByRole('link', { name: /details/ })
      .click()
    const detail = page.getByRole('dialog', { name: 'Event' })
    await detail.getByRole('row', { name: 'name Test tenant Acme Shop' }).waitFor()
    await detail.getByText('127.0.0.0/24').waitFor()
    await expectAccessible(page)
    await page.waitForURL(/event=/)
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    await expectSearch(page, '')
    await page.goBack()
    await detail.waitFor()
    await detail.getByRole('link', { name: 'The whole request' }).click()
    await page.waitForURL(/requestId=/)
    await page.getByText('Only the request').waitFor()
    await row(page, 'changed the tenant').waitFor()
    await expectCount(rows(page), 1)
    await expectAccessible(page)
  })

  test('on the page of a user, sentences about them do not link to the same page', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await row(page, 'The user signed in with a password').waitFor()
    await expectCount(rows(page).getByRole('link', { name: /^…/ }), 0)
  })

  test('filters by type, outcome, subject and time in the URL, also after a reload', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await row(page, 'The root key').first().waitFor()
    await page.getByRole('combobox', { name: 'Type' }).click()
    const signIns = page.getByRole('option', { name: 'Sign in: all' })
    await signIns.waitFor()
    await expectAccessible(page)
    await signIns.click()
    await page.waitForURL(/type=sign_in\.\*/)
    await row(page, 'The root key').first().waitFor({ state: 'detached' })
    await expectCount(rows(page), 2)
    await page.getByLabel('Outcome').selectOption('Refused')
    await row(page, 'signed in').waitFor({ state: 'detached' })
    await page.reload()
    await row(page, 'was refused').waitFor()
    await expectCount(rows(page), 1)
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('About').fill('someone else')
    await page.getByText('No event matches').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show all events' }).click()
    await row(page, 'The root key').first().waitFor()
    await page.getByLabel('Before').fill('2020-01-01T00:00')
    await page.getByText('No event matches').waitFor()
    await page.waitForURL(/until=2020-01-01T00/)
  })

  test('shows the filter that a link of an event sets', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    const follow = async (link: string) => {
      await row(page, 'changed the tenant Acme Shop').getByRole('link').first().click()
      await page.getByRole('link', { name: link }).click()
    }
    const by = page.getByLabel('By', { exact: true })
    await follow('All acts')
    await expectValue(by, 'root')
    await row(page, 'signed in with a password').waitFor({ state: 'detached' })
    // Filters that were hidden are shown when another one is set.
    await page.getByRole('button', { name: 'More filters' }).click()
    await by.waitFor({ state: 'detached' })
    await follow('Everything about it')
    await expectValue(page.getByLabel('About'), tenantId)
    await expectValue(by, '')
  })

  test('shows what the server says of a filter that it refuses', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?type=nothing.*`, { expected: [/status of 400/] })
    await page.getByRole('alert').getByText('VALIDATION_ERROR').waitFor()
    await expectAccessible(page)
  })

  test('exports the log, verifies it, and lists its checkpoints', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await page.getByRole('button', { name: 'Evidence' }).click()
    const exporting = page.getByRole('menuitem', { name: 'Export all events…' })
    await exporting.waitFor()
    await expectAccessible(page)
    await exporting.click()
    const start = page.getByRole('button', { name: 'Download' })
    await start.waitFor()
    await expectAccessible(page)
    const downloading = page.waitForEvent('download')
    await start.click()
    const download = await downloading
    assert.equal(download.suggestedFilename(), `events-${tenantId}.ndjson`)
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    assert.ok(JSON.parse(lines.at(-1)!).done.events > 5)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('The log is as it was sealed').waitFor()
    await page.getByText(/\d+ events in \d+ batch(es)? verified/).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Evidence' }).click()
    await page.getByRole('menuitem', { name: 'Checkpoints…' }).click()
    await page.getByRole('table', { name: 'Checkpoints, newest first' }).getByRole('row').nth(1).waitFor()
    await expectAccessible(page)
  })

  test('of the deployment names operators, in right-to-left script too', async (t) => {
    const page = await fixture.open(t, '/activity', { key: operatorKey })
    await row(page, /the root key created the operator/i).waitFor()
    const root = await fixture.open(t, '/activity', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await row(root, 'The root key created the operator عائشة').waitFor()
    await expectAccessible(root)
  })

  test('of the deployment says what was refused, in words, and what is about the deployment', async (t) => {
    const { admin, adminUrl } = fixture.service
    const { key } = await admin.createOperator({ name: 'Viewer', scopes: ['users:read'] })
    await refused(createTenantryAdmin({ baseUrl: adminUrl, adminKey: key }).listTenants({}), 'INSUFFICIENT_SCOPE')
    assert.equal((await signInToConsole(adminUrl, 'a wrong key')).status, 401)
    for await (const _line of admin.exportDeploymentEvents({}));
    await fixture.service.service.services.events.drain()
    const page = await fixture.open(t, '/activity')
    await row(page, 'The operator Viewer was not allowed to list tenants: tenants:read is missing').waitFor()
    await row(page, 'A sign-in to the console was refused').waitFor()
    await row(page, 'exported the activity')
      .getByRole('link', { name: /details/ })
      .click()
    await page.getByRole('dialog', { name: 'Event' }).getByText('the deployment', { exact: true }).waitFor()
  })

  test('of the deployment names an operator that is not among the first 200', async (t) => {
    const { admin, adminUrl } = fixture.service
    for (let number = 0; number < 200; number++)
      await admin.createOperator({ name: `Operator ${number}`, scopes: ['users:read'] })
    fixture.service.clock.advance(1) // Operators are listed by time.
    const { key } = await admin.createOperator({ name: 'Latecomer', scopes: ['users:read'] })
    await refused(createTenantryAdmin({ baseUrl: adminUrl, adminKey: key }).listTenants({}), 'INSUFFICIENT_SCOPE')
    await fixture.service.service.services.events.drain()
    const page = await fixture.open(t, '/activity?outcome=refused')
    await row(page, 'The operator Latecomer was not allowed to list tenants').waitFor()
  })

  test('names the faults of a log that was changed', async (t) => {
    await writeStored(
      fixture.service,
      `UPDATE events SET outcome = 'refused' WHERE tenant_id = ? AND type = 'sign_in.succeeded'`,
      tenantId,
    )
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?subjectId=${userId}`)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('1 fault in the log').waitFor()
    await page.getByRole('dialog').getByText('changed', { exact: true }).waitFor()
    await expectAccessible(page)
  })
})
