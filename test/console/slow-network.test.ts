import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/console-page.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'

const phone = { width: 390, height: 844 }
const name = 'A shop of a name that is longer than any line of a phone'

describe('while the network is slow', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  let shopId: string
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
    await fixture.service.service.services.delivery.drain()
    await fixture.service.admin.createOperator({ name: 'Ada', role: 'admin' })
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
  for (const path of [...paths, '/code-inbox', '/operators', '/signing-keys'])
    test(`${path} shows skeletons on a phone, and its content begins where they did`, async (t) => {
      const page = await fixture.open(t, '/no-such-screen', { viewport: phone })
      await page.getByRole('link', { name: 'Go to the overview' }).waitFor()
      const answers = Promise.withResolvers<void>()
      await page.route(/\/admin\/(?!session|deployment)/, async (route) => {
        await answers.promise
        await route.continue()
      })
      await page.goto(`${fixture.service.adminUrl}/console${path.replace(':id', tenantId)}`)
      await skeletons(page).first().waitFor()
      await page.evaluate(() => document.fonts.ready)
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

  test('the font is loaded with the scripts', async (t) => {
    const page = await fixture.open(t, '/tenants')
    const preloaded = page.locator('link[rel=preload][as=font]')
    const { href } = await preloaded.evaluate((link) => ({ href: (link as HTMLLinkElement).href }))
    const used = () => page.evaluate((url) => performance.getEntriesByName(url).length, href)
    await expectSoon(used, 1)
  })
})
