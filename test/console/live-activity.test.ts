import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { readCheckpoints } from '../../server/events/verify/saved-checkpoints.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, signIn, startConsole } from '../support/browser/console-page.ts'
import { openRestartableConsole } from '../support/browser/restartable-console.ts'
import { expectCount, expectSoon, expectTexts } from '../support/expect-soon.ts'
import { type TestService, testAdminKey } from '../support/service.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Events, newest first' }).locator('tbody tr')
const liveSwitch = (page: Page) => page.getByRole('switch', { name: 'Live' })

async function rename({ admin, service }: TestService, tenantId: string, name: string): Promise<void> {
  await admin.updateTenant({ tenantId }, { name })
  await service.services.events.drain()
}
/** The values to which a tenant was renamed, newest first, as the details of the events say. */
const renamed = (page: Page) => rows(page).filter({ hasText: 'changed the tenant' })

describe('activity that is followed', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('shows new events at the top, those of the filter only, also after a reload', async (t) => {
    const { service } = fixture
    const { tenantId } = await service.addTenant()
    await rename(service, tenantId, 'First')
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await expectCount(renamed(page), 1)
    await liveSwitch(page).click({ force: true })
    await page.waitForURL(/live=on/)
    await expectAccessible(page)
    await rename(service, tenantId, 'Second')
    await expectCount(renamed(page), 2)
    await page.getByLabel('Outcome').selectOption('Refused')
    await page.getByText('No event matches').waitFor()
    await rename(service, tenantId, 'Third')
    await page.getByLabel('Outcome').selectOption('Done')
    await expectCount(renamed(page), 3)
    const announced = page.locator('.panel').getByRole('status')
    await announced.getByText(/^\d events$/).waitFor()
    await page.reload()
    await rename(service, tenantId, 'Fourth')
    await expectCount(renamed(page), 4)
    await expectTexts(announced, [''])
    // From here on the list is not read again.
    await page.route(/\/events\?/, () => {})
    await rename(service, tenantId, 'Fifth')
    await expectCount(renamed(page), 5)
    await liveSwitch(page).click({ force: true })
    await expectSoon(() => new URL(page.url()).searchParams.get('live'), null)
    await expectCount(renamed(page), 5)
  })

  test('moves nothing while one reads further down: a button shows what is new', async (t) => {
    const { service } = fixture
    const { tenantId } = await service.addTenant()
    for (let count = 0; count < 40; count++) await service.admin.updateTenant({ tenantId }, { name: `Name ${count}` })
    await service.service.services.events.drain()
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?live=on`)
    const read = renamed(page).nth(39)
    await read.scrollIntoViewIfNeeded()
    // Browsers say what has left the screen to all observers together, the page's before this one.
    await page.evaluate(() => new Promise((told) => new IntersectionObserver(told).observe(document.body)))
    const before = await read.boundingBox()
    await rename(service, tenantId, 'Later')
    const show = page.getByRole('button', { name: '1 new' })
    await show.waitFor()
    assert.deepEqual(await read.boundingBox(), before)
    await expectCount(renamed(page), 40)
    await expectAccessible(page)
    await rename(service, tenantId, 'Latest')
    await page.getByRole('button', { name: '2 new' }).click()
    await expectCount(renamed(page), 42)
    await show.waitFor({ state: 'detached' })
    const first = rows(page)
      .first()
      .getByRole('link', { name: /details/ })
    await expectSoon(() => first.evaluate((link) => link === document.activeElement), true)
    await rename(service, tenantId, 'At the top')
    await expectCount(renamed(page), 43)
  })

  test('has no gap after more events than a page keeps, at once and held back', async (t) => {
    const { service } = fixture
    const { tenantId } = await service.addTenant()
    const { admin, clock } = service
    async function renameOften(times: number): Promise<void> {
      for (let count = 0; count < times; count++) {
        // The list is in the order of time.
        clock.advance(1)
        await admin.updateTenant({ tenantId }, { name: `Name ${count}` })
      }
      await service.service.services.events.drain()
    }
    /** The listed events are the latest ones of the log. */
    async function expectNoGap(): Promise<void> {
      const log: string[] = []
      for (let cursor: string | null | undefined; cursor !== null && log.length < 600; ) {
        const { items, nextCursor } = await admin.listEvents({ tenantId }, { limit: 200, cursor })
        log.push(...items.map(({ id }) => id))
        cursor = nextCursor
      }
      await expectSoon(async () => {
        const links = await rows(page)
          .locator('.row-link')
          .evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
        const shown = links.map((link) => new URL(link, page.url()).searchParams.get('event'))
        return shown.length >= 50 && shown.every((id, index) => id === log[index])
      }, true)
    }
    await renameOften(60)
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await expectCount(rows(page), 50)
    const readAgain = page.waitForResponse(/\/events\?limit=50/)
    await liveSwitch(page).click({ force: true })
    await readAgain
    await renameOften(520)
    await expectNoGap()
    await rows(page).nth(45).scrollIntoViewIfNeeded()
    // Browsers say what has left the screen to all observers together, the page's before this one.
    await page.evaluate(() => new Promise((told) => new IntersectionObserver(told).observe(document.body)))
    await renameOften(520)
    await page.getByRole('button', { name: '500+ new' }).click()
    await expectNoGap()
  })

  test('of a user appears on their page', async (t) => {
    const { service } = fixture
    const { tenantId } = await service.addTenant()
    const { id: userId } = await service.admin.createUser({ tenantId }, { email: 'ada@example.com' })
    await service.service.services.events.drain()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await expectCount(rows(page), 1)
    await liveSwitch(page).click({ force: true })
    await rename(service, tenantId, 'Not about the user')
    await service.admin.updateUser({ tenantId, userId }, { suspension: {} })
    await service.service.services.events.drain()
    await rows(page).filter({ hasText: 'suspended' }).waitFor()
    await expectCount(rows(page), 2)
    await expectAccessible(page)
  })

  test('checkpoints are saved as the file with which exports are verified', async (t) => {
    const { service } = fixture
    const { tenantId } = await service.addTenant()
    await rename(service, tenantId, 'First')
    await rename(service, tenantId, 'Second')
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await page.getByRole('button', { name: 'Evidence' }).click()
    await page.getByRole('menuitem', { name: 'Checkpoints…' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download all' }).click()
    const download = await downloading
    assert.equal(download.suggestedFilename(), `checkpoints-${tenantId}.ndjson`)
    const lines = createInterface({ input: createReadStream(await download.path()) })
    const saved = await readCheckpoints(lines, 'checkpoints')
    const { items } = await service.admin.listCheckpoints({ tenantId })
    assert.deepEqual(
      saved.batches.map(({ batch }) => batch),
      items.map(({ batch }) => batch),
    )
    assert.ok(items.length > 1)
  })
})

test('goes on after a restart of the server, without gaps or duplicates', { skip: withoutBrowser }, async (t) => {
  const { front, context, page, start } = await openRestartableConsole(t)
  const before = await start()
  front.forwardTo(before.baseUrl)
  const { tenantId } = await before.addTenant()
  await signIn(context, before.baseUrl, testAdminKey)
  await page.goto(`${front.url}/console/tenants/${tenantId}/activity?live=on`)
  await rename(before, tenantId, 'Before')
  await expectCount(renamed(page), 1)
  front.forwardTo(null)
  await page.getByText('Reconnecting…').waitFor()
  await rename(before, tenantId, 'Meanwhile')
  await before.close()

  await using later = await start()
  front.forwardTo(later.baseUrl)
  await expectCount(renamed(page), 2)
  await rename(later, tenantId, 'Later')
  await expectCount(renamed(page), 3)
})
