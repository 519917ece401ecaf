import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectFocused, expectTexts, expectValue } from '../support/expect-soon.ts'

describe('Users', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const rows = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody tr')
  const acts = (page: Page) => ['New user', 'Import', 'Export'].map((name) => page.getByText(name, { exact: true }))
  const search = (page: Page) => page.getByRole('searchbox')

  async function tenantOf(users: readonly { email: string; emailVerified?: boolean; password?: string }[]) {
    const tenant = await fixture.service.addTenant()
    const ids: string[] = []
    for (const user of users) {
      fixture.service.clock.advance(1)
      ids.push((await fixture.service.admin.createUser({ tenantId: tenant.tenantId }, user)).id)
    }
    return { ...tenant, ids, path: `/tenants/${tenant.tenantId}/users` }
  }

  test('names the refused value when the address of the page is wrong', async (t) => {
    const { path } = await tenantOf([])
    const page = await fixture.open(t, `${path}?cursor=%20`, { expected: [/status of 400/] })
    await page.getByRole('alert').getByText('cursor').waitFor()
    await expectCount(page.getByRole('table', { name: 'Users' }), 0)
  })

  test('ignores what a mail program adds to a link', async (t) => {
    const { path } = await tenantOf([{ email: 'ada@example.com' }, { email: 'eve@example.com' }])
    const page = await fixture.open(t, `${path}?q=ada&utm_source=mail`)
    await rows(page).getByText('ada@example.com').waitFor()
    await expectCount(rows(page), 1)
  })

  test('finds a user by the beginning of an address, and suspends them with a reason', async (t) => {
    const password = 'correct horse battery'
    const users = ['ada', 'adam', 'bob'].map((name) => ({
      ...{ email: `${name}@example.com`, emailVerified: true, password },
    }))
    const { path, client, ids, tenantId } = await tenantOf(users)
    await client.signIn({ method: 'password', email: 'ada@example.com', password })
    const page = await fixture.open(t, path)
    await rows(page).filter({ hasText: 'bob@' }).waitFor()
    await page.getByText('Newest first').waitFor()
    await search(page).fill('ADA')
    await rows(page).filter({ hasText: 'bob@' }).waitFor({ state: 'detached' })
    await page.waitForURL(/q=ADA/)
    await expectCount(rows(page), 2)
    // A search is in the order of addresses.
    await expectCount(page.getByText('Newest first'), 0)
    await page.getByRole('link', { name: 'ada@example.com' }).click()
    await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Chargeback')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Suspend user' }).click()
    await page.getByRole('status').getByText('Chargeback · without an end').waitFor()
    const refusal = client.signIn({ method: 'password', email: 'ada@example.com', password })
    await assert.rejects(refusal, { code: 'RESTRICTED_CAPABILITY' })
    await expectAccessible(page)
    await page.goBack()
    await rows(page).filter({ hasText: 'Suspended' }).waitFor()
    await page.getByRole('link', { name: 'ada@example.com' }).click()
    await page.getByRole('button', { name: 'Lift the suspension' }).click()
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    const user = await fixture.service.admin.getUser({ tenantId, userId: ids[0]! })
    assert.equal(user.suspension, null)
  })

  test('shows the id of a user without an address whole, too', async (t) => {
    const { path, tenantId } = await tenantOf([])
    const { id } = await fixture.service.admin.createUser({ tenantId }, { phone: '+33612345678' })
    const page = await fixture.open(t, path)
    const shown = rows(page).getByText(id)
    assert.ok(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
  })

  test('filters by state, finds pasted ids, and says what it compares', async (t) => {
    const { path, ids, tenantId } = await tenantOf([{ email: 'ada@example.com' }, { email: 'bob@example.com' }])
    await fixture.service.admin.updateUser({ tenantId, userId: ids[1]! }, { suspension: {} })
    const page = await fixture.open(t, `${path}?state=suspended`)
    await rows(page).filter({ hasText: 'bob@example.com' }).waitFor()
    await expectCount(rows(page), 1)
    await page.getByLabel('State').selectOption('')
    await rows(page).filter({ hasText: 'ada@example.com' }).waitFor()
    await search(page).fill(ids[0]!)
    await rows(page).filter({ hasText: 'bob@example.com' }).waitFor({ state: 'detached' })
    await expectCount(rows(page), 1)
    await search(page).fill('unknown')
    await page.getByText('No user matches “unknown”').waitFor()
    await expectAccessible(page)
  })

  test('announces what a search or a filter has found, and not what the list begins with', async (t) => {
    const { path, ids, tenantId } = await tenantOf([{ email: 'ada@example.com' }, { email: 'adam@example.com' }])
    await fixture.service.admin.updateUser({ tenantId, userId: ids[1]! }, { suspension: {} })
    const page = await fixture.open(t, path)
    const announced = page.locator('.panel').getByRole('status')
    await rows(page).nth(1).waitFor()
    await expectTexts(announced, [''])
    await search(page).fill('ada')
    await expectTexts(announced, ['2 users'])
    await page.getByLabel('State').selectOption('suspended')
    await expectTexts(announced, ['1 user'])
    await search(page).fill('eve')
    await announced.getByText('No user matches “eve”').waitFor()
    await expectAccessible(page)
    await search(page).fill('')
    await expectTexts(announced, ['1 user'])
    await page.getByLabel('State').selectOption('')
    await expectTexts(announced, ['2 users'])
  })

  test('searches for no more than the longest address, whatever is pasted', async (t) => {
    const { path } = await tenantOf([])
    const page = await fixture.open(t, path)
    await search(page).focus()
    await page.keyboard.insertText('a'.repeat(1_000_000))
    await page.getByText('No user matches').first().waitFor()
    await page.waitForURL((url) => url.search === `?q=${'a'.repeat(254)}`)
  })

  test('adds a user; what was typed stays after a refusal', async (t) => {
    const { path } = await tenantOf([{ email: 'taken@example.com' }])
    const page = await fixture.open(t, path, { expected: [/status of 4(00|09)/] })
    for (const act of acts(page)) await act.waitFor()
    await page.getByRole('button', { name: 'New user' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill('not an address')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await dialog.getByText('Invalid email').waitFor()
    await expectFocused(dialog.getByLabel('E-mail address'))
    await expectAccessible(page)
    await dialog.getByLabel('E-mail address').fill('taken@example.com')
    await dialog.getByLabel('Phone number').fill('+33 6 12 34 56 78')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await dialog.getByText('EMAIL_ALREADY_REGISTERED').waitFor()
    await expectValue(dialog.getByLabel('Phone number'), '+33 6 12 34 56 78')
    await dialog.getByLabel('E-mail address').fill('new@example.com')
    await dialog.getByLabel('The address belongs to this person').check()
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await page.getByRole('heading', { name: 'new@example.com', level: 1 }).waitFor()
    await page.getByText('+33612345678').waitFor()
    await page.getByText('No profile yet').waitFor()
    await page.getByText('Signed in nowhere').waitFor()
  })

  test('promises a new user without a password only what the tenant offers', async (t) => {
    const { path, tenantId } = await tenantOf([])
    const { admin } = fixture.service
    const promise = 'This tenant has passwords only: without one the user cannot sign in.'
    for (const [methods, said] of [
      [['password', 'otp'], 'Optional. Without one, the user signs in with a code.'],
      [['password'], promise],
    ] as const) {
      await admin.updateConfiguration({ tenantId }, { auth: { methods: [...methods] } })
      const page = await fixture.open(t, path)
      await page.getByRole('button', { name: 'New user' }).click()
      await page.getByRole('dialog').getByText(said).waitFor()
    }
  })

  test('an operator sees only what their scopes allow', async (t) => {
    const { path } = await tenantOf([{ email: 'ada@example.com' }])
    const { key } = await fixture.service.admin.createOperator({
      name: 'Reader',
      scopes: ['tenants:read', 'users:read'],
    })
    const page = await fixture.open(t, path, { key })
    await rows(page).filter({ hasText: 'ada@example.com' }).waitFor()
    for (const act of acts(page)) await expectCount(act, 0)
    await page.getByRole('link', { name: 'ada@example.com' }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await expectTexts(page.getByRole('heading', { level: 2 }), ['Account'])
    for (const name of ['Suspend', 'More actions', 'Change: E-mail'])
      await expectCount(page.getByRole('button', { name }), 0)
  })

  test('a developer, who may not read profiles, searches and pages without a refusal', async (t) => {
    const { path, tenantId } = await tenantOf(['ada', 'adam', 'bob'].map((name) => ({ email: `${name}@example.com` })))
    await fixture.service.admin.publishProfileSchema(
      { tenantId },
      { components: [{ name: 'city', type: 'text', searchable: true }] },
    )
    const { key } = await fixture.service.admin.createOperator({ name: 'Developer', role: 'developer' })
    // A refusal is an error that the browser prints, which fails the test.
    const page = await fixture.open(t, path, { key })
    await expectCount(rows(page), 3)
    await search(page).fill('ada')
    await rows(page).filter({ hasText: 'bob@' }).waitFor({ state: 'detached' })
    await page.getByLabel('State').selectOption('unverified')
    await page.waitForURL(/state=unverified/)
    await expectCount(rows(page), 2)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('bob@')
    await page.getByRole('option', { name: 'bob@example.com' }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await expectTexts(page.getByRole('heading', { level: 2 }), ['Account'])
  })
})
