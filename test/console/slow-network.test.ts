import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectDisabled, expectSoon } from '../support/expect-soon.ts'

const phone = { width: 390, height: 844 }
const name = 'A shop of a name that is longer than any line of a phone'

describe('while the network is slow', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  let shopId: string
  let userId: string
  before(async () => {
    fixture = await startConsole()
    const tenant = await fixture.service.addTenant({ methods: ['password'] })
    tenantId = tenant.tenantId
    await tenant.client.signUp({ method: 'password', email: 'ada@example.com', password: 'correct horse' })
    await tenant.client.resetPassword({ step: 'challenge', email: 'ada@example.com' })
    const shop = await fixture.service.addTenant()
    shopId = shop.tenantId
    await fixture.service.admin.updateTenant({ tenantId: shopId }, { name })
    await shop.client.issueOtp({ scope: 'otp_signin', email: 'grace@example.com' })
    const long = { email: 'an-address-longer-than-any-line-of-a-phone@a-shop-of-a-long-name.example' }
    userId = (await fixture.service.admin.createUser({ tenantId: shopId }, long)).id
    await fixture.service.service.services.delivery.drain()
    const operator = await fixture.service.admin.createOperator({ name: 'Ada', role: 'admin' })
    await createTenantryAdmin({ baseUrl: fixture.service.adminUrl, adminKey: operator.key }).createTenant({ name })
    await fixture.service.admin.updateOperator({ operatorId: operator.id }, { name: `${name} whose operator this is` })
    await fixture.service.service.services.events.drain()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const skeletons = (page: Page) => page.locator('.mantine-Skeleton-root')
  /** Where the content below the title begins. */
  const topOf = (page: Page) =>
    page
      .locator('main :is(.panel, .figures, input)')
      .first()
      .boundingBox()
      .then((box) => box?.y)

  /** Sentences that would move when the rows above them come. */
  const belowLists = (page: Page) =>
    page.getByText(/^(The root key is not in this list|A new key is published)/).filter({ visible: true })

  const paths = ['/', '/tenants', '/tenants/:id', '/tenants/:id/users', '/tenants/:id/sign-in', '/tenants/:id/messages']
  const ofShop = ['/tenants/:shop', '/tenants/:shop/users/:user']
  for (const path of [...paths, ...ofShop, '/code-inbox', '/operators', '/signing-keys', '/activity'])
    test(`${path} shows skeletons on a phone, and its content begins where they did`, async (t) => {
      const page = await fixture.open(t, '/no-such-screen', { viewport: phone })
      await page.getByRole('link', { name: 'Go to the overview' }).waitFor()
      const answers = Promise.withResolvers<void>()
      await page.route(/\/admin\/(?!session|deployment)/, async (route) => {
        await answers.promise
        await route.continue()
      })
      const own = path.replace(':id', tenantId).replace(':shop', shopId).replace(':user', userId)
      await page.goto(`${fixture.service.adminUrl}/console${own}`)
      await skeletons(page).first().waitFor()
      await page.evaluate(() => document.fonts.ready)
      // The pages of tests ask for reduced motion.
      await expectSoon(() => page.evaluate(() => document.getAnimations().length), 0)
      await expectCount(belowLists(page), 0)
      const top = await topOf(page)
      answers.resolve()
      await expectCount(skeletons(page), 0)
      await expectSoon(() => topOf(page), top)
      if (path === '/operators' || path === '/signing-keys') await belowLists(page).waitFor()
    })

  for (const viewport of [phone, { width: 1280, height: 860 }])
    test(`/code-inbox does not move when the names of tenants are read, ${viewport.width} px wide`, async (t) => {
      const page = await fixture.open(t, '/no-such-screen', { viewport })
      await page.getByRole('link', { name: 'Go to the overview' }).waitFor()
      const answers = Promise.withResolvers<void>()
      await page.route(`**/admin/tenants/${shopId}`, async (route) => {
        await answers.promise
        await route.continue()
      })
      await page.goto(`${fixture.service.adminUrl}/console/code-inbox`)
      const row = page.getByRole('listitem').filter({ hasText: 'grace' })
      await row.waitFor()
      await page.evaluate(() => document.fonts.ready)
      await expectCount(row.locator('.mantine-Skeleton-root'), 1)
      await expectCount(row.getByText(shopId), 0)
      const before = await row.boundingBox()
      answers.resolve()
      await row.getByText(name).waitFor()
      await expectSoon(() => row.boundingBox(), before)
    })

  test('/activity does not move when the names of tenants and operators are read', async (t) => {
    const page = await fixture.open(t, '/no-such-screen', { viewport: phone })
    await page.getByRole('link', { name: 'Go to the overview' }).waitFor()
    const answers = Promise.withResolvers<void>()
    for (const read of ['**/admin/tenants/*', '**/admin/operators?*'])
      await page.route(read, async (route) => {
        await answers.promise
        await route.continue()
      })
    const listed = page.waitForResponse(/\/admin\/events\?/)
    await page.goto(`${fixture.service.adminUrl}/console/activity`)
    await (await listed).finished()
    await skeletons(page).first().waitFor()
    await expectCount(page.getByText('made the tenant'), 0)
    answers.resolve()
    await page
      .getByText(`the operator ${name} whose operator this is created the tenant ${name}`, { exact: false })
      .waitFor()
  })

  test('the font is loaded with the scripts', async (t) => {
    const page = await fixture.open(t, '/tenants')
    const preloaded = page.locator('link[rel=preload][as=font]')
    const { href } = await preloaded.evaluate((link) => ({ href: (link as HTMLLinkElement).href }))
    const used = () => page.evaluate((url) => performance.getEntriesByName(url).length, href)
    await expectSoon(used, 1)
  })

  test('says so while it is not known who is signed in', async (t) => {
    const page = await fixture.open(t, '/tenants', { isNew: true })
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/admin/session', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()
    await page.getByRole('status').getByText('Waiting for the server…').waitFor()
    held.resolve()
    await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
  })

  test('without a network an act fails at once, and does not happen later', async (t) => {
    const { tenantId: id } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${id}`, { expected: [/ERR_INTERNET_DISCONNECTED/] })
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    await page.context().setOffline(true)
    const dialog = page.getByRole('dialog', { name: 'Suspend tenant' })
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByRole('alert').getByText('The server did not answer').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Tenants', exact: true }).click()
    await page.getByRole('link', { name: 'Test tenant' }).first().waitFor()
    assert.equal((await fixture.service.admin.getTenant({ tenantId: id })).suspended, false)
    await page.context().setOffline(true)
    await page.getByRole('searchbox').fill('no such tenant')
    await page.getByRole('alert').getByText('The server did not answer').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No tenant matches').waitFor()
  })

  test('a dialog stays until its act is answered: a late success would close the next one', async (t) => {
    const { tenantId: id } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${id}`)
    const held = Promise.withResolvers<void>()
    await page.route(`**/admin/tenants/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suspend tenant' })
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await expectDisabled(dialog.getByRole('button', { name: 'Cancel' }))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close' }).click()
    await expectCount(dialog, 1)
    held.resolve()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Suspended').first().waitFor()
  })

  /** Opens a screen of a tenant from the tenant's page; requests to `held` wait. */
  async function openHeld(t: TestContext, link: string, held: string) {
    const { id } = await fixture.service.admin.createTenant({ name: 'Acme Shop' })
    const page = await fixture.open(t, `/tenants/${id}`, { expected: [/status of 404/], isNew: true })
    await page.getByRole('link', { name: link, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: link }).waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route(held, async (route) => {
      if (route.request().method() !== 'GET') await answer.promise
      await route.continue()
    })
    return { page, answer, tenantId: id }
  }
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave before the answer?' })

  test('a new key is shown although Back was pressed before the answer', async (t) => {
    const { page, answer, tenantId: id } = await openHeld(t, 'Keys', '**/keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('web app')
    await page.keyboard.press('Enter')
    await page.goBack()
    await question(page).waitFor()
    await expectAccessible(page)
    answer.resolve()
    await page.getByText('This is the only time the key is shown').waitFor()
    await question(page).waitFor({ state: 'detached' })
    await expectSoon(() => new URL(page.url()).pathname, `/console/tenants/${id}/keys`)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Close without it' }).click()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Acme Shop' }).waitFor()
  })

  test('an act that fails after Back was pressed says so', async (t) => {
    const { page, answer, tenantId: id } = await openHeld(t, 'Keys', '**/keys/*')
    const { id: keyId } = await fixture.service.admin.createTenantKey({ tenantId: id }, { name: 'web app' })
    await page.reload()
    await page.getByRole('button', { name: 'Actions of the key web app' }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await fixture.service.admin.revokeTenantKey({ tenantId: id, keyId })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await expectDisabled(dialog.getByRole('button', { name: 'Cancel' }))
    await page.goBack()
    await question(page).waitFor()
    answer.resolve()
    await page.getByRole('dialog').getByText('TENANT_KEY_NOT_FOUND').waitFor()
    await expectSoon(() => new URL(page.url()).pathname, `/console/tenants/${id}/keys`)
  })

  test('can be left before the answer', async (t) => {
    const { page, answer, tenantId: id } = await openHeld(t, 'Users', '**/users')
    await page.getByRole('button', { name: 'New user' }).first().click()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.keyboard.press('Enter')
    await page.goBack()
    await question(page).getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme Shop' }).waitFor()
    await expectSoon(() => new URL(page.url()).pathname, `/console/tenants/${id}`)
    answer.resolve()
  })
})
