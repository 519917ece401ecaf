import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectDisabled, expectSoon, expectValue } from '../support/expect-soon.ts'
import { refused } from '../support/refused.ts'

describe('Tenants', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('without tenants, the overview leads to the first one, whose key works at once', async (t) => {
    const page = await fixture.open(t, '/')
    await page.getByText('Create the first tenant').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'New tenant' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Ümit & Söhne')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create tenant' }).click()
    const dialog = page.getByRole('dialog', { name: 'The tenant’s first key' })
    const key = await dialog
      .getByText(/^tk_pub_/)
      .first()
      .textContent()
    await expectAccessible(page)
    const client = createTenantryClient({ baseUrl: fixture.service.baseUrl, tenantKey: key! })
    assert.ok(await client.getTenantConfiguration())
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.getByRole('button', { name: 'Close without it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ümit & Söhne' }).waitFor()
    await page.waitForURL(/\/console\/tenants\/[0-9A-Z]{26}$/)
  })

  test('a name that the server refuses is said beside the field, and stays typed', async (t) => {
    const page = await fixture.open(t, '/tenants', { expected: [/status of 400/] })
    await page.getByRole('button', { name: 'New tenant' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('x'.repeat(201))
    await page.getByRole('button', { name: 'Create tenant' }).click()
    await page.getByText('String must contain at most 200 character(s)').waitFor()
    await expectValue(page.getByRole('textbox', { name: 'Name' }), 'x'.repeat(201))
  })

  test('figures side by side are on one line, and a name has narrow hyphens', async (t) => {
    const { id: tenantId } = await fixture.service.admin.createTenant({ name: 'Line-up' })
    const page = await fixture.open(t, `/tenants/${tenantId}`, { viewport: { width: 1024, height: 768 } })
    await page.getByText('None in these days').first().waitFor()
    const tops = page.locator('dl.figures dt + dd')
    assert.equal(new Set(await tops.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))).size, 1)
    const figuresOf = (text: Locator) => text.evaluate((one) => getComputedStyle(one).fontVariantNumeric)
    assert.equal(await figuresOf(page.getByText('Sign-ups', { exact: true }).first()), 'normal')
    await page.getByRole('link', { name: 'Tenants', exact: true }).click()
    assert.equal(await figuresOf(page.getByRole('link', { name: 'Line-up' })), 'normal')
    assert.equal(await figuresOf(page.getByRole('cell', { name: '0', exact: true }).first()), 'tabular-nums')
  })

  test('figures that cannot be read do not look as if they were on their way', async (t) => {
    await fixture.service.admin.createTenant({ name: 'Figures Ltd' })
    const page = await fixture.open(t, '/signing-keys', { expected: [/status of 502/] })
    await page.getByRole('heading', { level: 1, name: 'Signing keys' }).waitFor()
    await page.route(/\/admin\/(statistics|tenants\/[^?]*\/statistics)/, (route) => route.fulfill({ status: 502 }))
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('alert').waitFor()
    await expectCount(page.locator('.mantine-Skeleton-root'), 0)
    await page.getByRole('link', { name: 'Tenants', exact: true }).click()
    await page.getByRole('link', { name: 'Figures Ltd' }).click()
    await page.getByRole('alert').waitFor()
    await expectCount(page.locator('.mantine-Skeleton-root'), 0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('None in these days').first().waitFor()
  })

  test('the list finds tenants by the beginning of a name, and shows how many users they have', async (t) => {
    const { service } = fixture
    const { id: tenantId } = await service.admin.createTenant({ name: 'שלום Shop' })
    await service.admin.createUser({ tenantId }, { email: 'ada@example.com' })
    const page = await fixture.open(t, '/tenants')
    const row = page.getByRole('table', { name: 'Tenants' }).locator('tbody tr')
    await row.nth(1).waitFor()
    await page.getByRole('searchbox').fill('שלום s')
    await row.nth(1).waitFor({ state: 'detached' })
    await expectCount(row.filter({ hasText: 'שלום Shop' }).getByRole('cell', { name: '1', exact: true }), 1)
    await page.getByRole('searchbox').fill('nothing has this name')
    await page.getByText('No tenant matches').waitFor()
    await page.getByRole('button', { name: 'Show all tenants' }).click()
    await row.nth(1).waitFor()
    await expectValue(page.getByRole('searchbox'), '')
  })

  test('a long name leaves room for the state on a phone', async (t) => {
    const name = 'x'.repeat(200)
    await fixture.service.admin.createTenant({ name })
    const page = await fixture.open(t, '/tenants', { viewport: { width: 390, height: 844 } })
    const row = page.getByRole('row').filter({ hasText: name })
    const { x, width } = (await row.getByText('Active').boundingBox())!
    assert.ok(x + width <= 390, `the state ends at ${x + width}`)
  })

  test('a name of usual length is whole on a phone', async (t) => {
    const name = 'Bakery Number 27 of the Chain'
    await fixture.service.admin.createTenant({ name })
    const page = await fixture.open(t, '/tenants', { viewport: { width: 390, height: 844 } })
    const shown = page.getByRole('link', { name }).locator('.row-name')
    assert.ok(await shown.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight))
  })

  test('a long word in a name does not cut it after the word before', async (t) => {
    const name = `Bakery ${'x'.repeat(150)}`
    await fixture.service.admin.createTenant({ name })
    const page = await fixture.open(t, '/tenants')
    const shown = page.getByRole('link', { name }).locator('.row-name')
    const [line, room] = await shown.evaluate((element) => {
      const text = document.createRange()
      text.selectNodeContents(element)
      return [text.getClientRects()[0]!.width, element.clientWidth]
    })
    assert.ok(line > room - 30, `${line} of ${room} px`)
  })

  test('a name in right-to-left script begins at the right of inputs, beside their icons', async (t) => {
    const { id } = await fixture.service.admin.createTenant({ name: 'شركة الشرق الأوسط للتجارة الإلكترونية والخدمات' })
    const page = await fixture.open(t, `/tenants/${id}`)
    const switcher = page.getByRole('navigation').getByRole('combobox', { name: 'Tenant' })
    const directionOf = () => switcher.evaluate((input) => getComputedStyle(input).direction)
    await expectSoon(directionOf, 'rtl')
    const [left, right] = await switcher.evaluate((input) => {
      const { paddingLeft, paddingRight } = getComputedStyle(input)
      return [Number.parseFloat(paddingLeft), Number.parseFloat(paddingRight)]
    })
    assert.ok(left! < right!, 'the chevron is at the right')
  })

  test('figures and charts show what happened, also as a table', async (t) => {
    const { service } = fixture
    const tenant = await service.addTenant({ methods: ['password'] })
    for (const name of ['ada', 'grace'])
      await tenant.client.signUp({ method: 'password', email: `${name}@example.com`, password: 'correct horse' })
    const page = await fixture.open(t, `/tenants/${tenant.tenantId}`)
    await page.getByText('2 in 30 days').waitFor()
    await page.locator('.recharts-surface').first().waitFor()
    const chart = page.getByRole('region', { name: 'Sign-ups a day' })
    await chart.getByRole('button', { name: 'Show as a table' }).click()
    const days = chart.getByRole('table', { name: 'Sign-ups a day' }).locator('tbody tr')
    await days.filter({ hasText: /2$/ }).waitFor()
    await expectAccessible(page)
    await page.goto(page.url().replace(/tenants\/.*/, ''))
    await page.getByRole('definition').filter({ hasText: 'sent' }).first().waitFor()
    await expectAccessible(page)
  })

  test('a tenant is renamed, restricted, suspended and restored', async (t) => {
    const { service } = fixture
    const tenant = await service.addTenant({ methods: ['password'] })
    const page = await fixture.open(t, `/tenants/${tenant.tenantId}`)
    const change = async (item: string) => {
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await change('Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
    await change('Restrict')
    await page.getByRole('checkbox', { name: 'Sign up' }).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Restricted', { exact: true }).waitFor()
    const person = { method: 'password', email: 'ada@example.com', password: 'correct horse' } as const
    await refused(tenant.client.signUp(person), 'RESTRICTED_CAPABILITY')
    await change('Suspend')
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Suspended', { exact: true }).waitFor()
    await refused(tenant.client.signUp(person), 'TENANT_SUSPENDED')
    await change('Lift the suspension')
    await page.getByRole('dialog').getByRole('button', { name: 'Lift the suspension' }).click()
    await page.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' })
    await refused(tenant.client.signUp(person), 'RESTRICTED_CAPABILITY')
  })

  test('restricting a tenant keeps what another operator changed while the dialog was open', async (t) => {
    const { admin } = fixture.service
    const { tenantId } = await fixture.service.addTenant()
    await admin.updateTenant({ tenantId }, { restrictedCapabilities: ['upload', 'otp'] })
    const page = await fixture.open(t, `/tenants/${tenantId}`)
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Restrict' }).click()
    await page.getByRole('checkbox', { name: 'Change a profile' }).check()
    await page.getByRole('checkbox', { name: 'Upload files' }).uncheck()
    await admin.updateTenant({ tenantId }, { restrictedCapabilities: ['upload', 'sign_in'] })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The restrictions apply').waitFor()
    const { restrictedCapabilities } = await admin.getTenant({ tenantId })
    assert.deepEqual(restrictedCapabilities.toSorted(), ['profile_update', 'sign_in'])
  })

  test('a tenant is deleted only after its name is typed', async (t) => {
    const { service } = fixture
    // A page does not show that there are two spaces, nor that the accent is a character.
    const { id: tenantId } = await service.admin.createTenant({ name: 'Cafe\u0301  No.\u00a01' })
    const page = await fixture.open(t, `/tenants/${tenantId}`, { expected: [/status of 404/] })
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete tenant' })
    const button = dialog.getByRole('button', { name: 'Delete tenant' })
    await dialog.getByLabel(/^Type/).fill('Café')
    await expectDisabled(button)
    await dialog.getByLabel(/^Type/).fill('Café No. 1')
    await expectAccessible(page)
    await button.click()
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    await refused(service.admin.getTenant({ tenantId }), 'TENANT_NOT_FOUND')
    await page.goto(`${service.adminUrl}/console/tenants/${tenantId}`)
    await page.getByText('Tenant not found').first().waitFor()
  })

  test('an operator without the scope sees no acts, and one bound to tenants no new tenant', async (t) => {
    const { service } = fixture
    const { id: tenantId } = await service.admin.createTenant({ name: 'Seen' })
    const made = (scopes: ('tenants:read' | 'tenants:write')[]) =>
      service.admin.createOperator({ name: 'Operator', scopes, tenantIds: [tenantId] })
    const reader = await fixture.open(t, `/tenants/${tenantId}`, { key: (await made(['tenants:read'])).key })
    await reader.getByRole('heading', { level: 1, name: 'Seen' }).waitFor()
    await expectCount(reader.getByRole('button', { name: 'Change', exact: true }), 0)
    const writer = await fixture.open(t, '/tenants', { key: (await made(['tenants:write'])).key })
    await writer.getByRole('link', { name: 'Seen' }).waitFor()
    await expectCount(writer.getByRole('button', { name: 'New tenant' }), 0)
  })
})
