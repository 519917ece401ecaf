import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, expectFits } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'

const phone = { width: 390, height: 844 }
const email = 'kim@example.com'

describe('a screen of a tenant says of which one', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  let userId: string
  before(async () => {
    fixture = await startConsole()
    tenantId = (await fixture.service.admin.createTenant({ name: 'My app' })).id
    userId = (await fixture.service.admin.createUser({ tenantId }, { email, emailVerified: true })).id
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const above = (page: Page) => page.getByRole('navigation', { name: 'Above this page' })

  test('in its title', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/users`)
    await expectSoon(() => page.title(), 'Users · My app · Tenantry')
    await page.getByRole('link', { name: email }).click()
    await expectSoon(() => page.title(), `${email} · My app · Tenantry`)
    await page.getByRole('group', { name: 'This tenant' }).getByRole('link', { name: 'Overview' }).click()
    await expectSoon(() => page.title(), 'My app · Tenantry')
    await page.getByRole('link', { name: 'Tenants' }).click()
    await expectSoon(() => page.title(), 'Tenants · Tenantry')
  })

  test('above its heading on a phone, with a link to the tenant, and beside the switcher not again', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`, { viewport: phone })
    await page.getByRole('heading', { level: 1, name: email }).waitFor()
    await above(page).getByRole('link', { name: 'My app' }).waitFor()
    await expectAccessible(page)
    await expectFits(page)
    await above(page).getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    await expectAccessible(page)
    await above(page).getByRole('link', { name: 'My app' }).click()
    await page.getByRole('heading', { level: 1, name: 'My app' }).waitFor()
    await expectCount(above(page), 0)
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByText('Applications need a key').waitFor()
    await expectCount(above(page), 0)
  })

  test('by a name of any length, on one line', async (t) => {
    const { id } = await fixture.service.admin.createTenant({ name: 'A name without an end '.repeat(9).trim() })
    const user = await fixture.service.admin.createUser({ tenantId: id }, { email: `${'k'.repeat(60)}@example.com` })
    for (const path of ['users', `users/${user.id}`]) {
      const page = await fixture.open(t, `/tenants/${id}/${path}`, { viewport: phone })
      await above(page)
        .getByRole('link', { name: /^A name/ })
        .waitFor()
      await expectFits(page)
      await expectSoon(async () => (await above(page).boundingBox())!.height < 30, true)
    }
  })

  test('by its id, to an operator who may not read its name', async (t) => {
    const { key } = await fixture.service.admin.createOperator({ name: 'Keys', scopes: ['keys:read'] })
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { key, viewport: phone })
    await above(page).getByText(tenantId).waitFor()
    await expectSoon(() => page.title(), `Keys · ${tenantId} · Tenantry`)
    await expectFits(page)
  })

  test('before a user is suspended or deleted', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`, { viewport: phone })
    await page.getByRole('button', { name: 'Suspend' }).click()
    const suspend = page.getByRole('dialog', { name: 'Suspend this user?' })
    await suspend.getByText(`of ${email} at My app is refused`).waitFor()
    await suspend.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: 'Delete this user?' })
      .getByText('The account at My app is deleted')
      .waitFor()
    await expectAccessible(page)
  })
})
