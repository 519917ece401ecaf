import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ulid } from '../../server/core/ids.ts'
import { record } from '../../server/events/record.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectSearch } from '../support/expect-soon.ts'

const detailOf = (page: Page) => page.getByRole('dialog', { name: 'Event' })
const renamed = { name: 'name Test tenant Acme Shop' }

describe('a link to an event', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  let eventId: string
  before(async () => {
    fixture = await startConsole()
    const { admin, service } = fixture.service
    tenantId = (await fixture.service.addTenant()).tenantId
    await admin.updateTenant({ tenantId }, { name: 'Acme Shop' })
    await service.services.events.drain()
    eventId = (await admin.listEvents({ tenantId }, { type: 'tenant.updated' })).items[0]!.id
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('opens an event that is not on the page, and says when there is none', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?outcome=refused&event=${eventId}`)
    const detail = detailOf(page)
    await detail.getByRole('row', renamed).waitFor()
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'detached' })
    await expectSearch(page, '?outcome=refused')
    const other = await fixture.open(t, `/tenants/${tenantId}/activity?event=${ulid(Date.now())}`)
    await detailOf(other).getByText('No such event in this log').waitFor()
    await expectAccessible(other)
  })

  test('opens one of more events of one millisecond than a page of the log has', async (t) => {
    const { admin, service } = fixture.service
    const now = Date.now()
    const { tenantId } = await fixture.service.addTenant()
    const source = { now, background: (await service.services.snapshots.find(tenantId))! }
    const { events } = service.services.storage.forTenant(tenantId)
    for (let number = 1; number <= 60; number++) {
      const details = { count: number }
      await record({ events }, source, { type: 'tenant.updated', subject: { kind: 'tenant', id: tenantId }, details })
    }
    await service.services.events.drain()
    const { items } = await admin.listEvents({ tenantId }, { type: 'tenant.updated', limit: 200 })
    const oldest = items.at(-1)!
    const page = await fixture.open(t, `/tenants/${tenantId}/activity?outcome=refused&event=${oldest.id}`)
    await detailOf(page).getByText(oldest.id).waitFor()
  })

  test('says why the event could not be read, and reads it again', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`, { expected: [/status of 502/], isNew: true })
    await page.getByText('changed the tenant').waitFor()
    await page.route('**/events?since=*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.evaluate((url) => history.pushState(null, '', url), `?outcome=refused&event=${eventId}`)
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
    const detail = detailOf(page)
    await detail.getByText('A proxy answered in place of the server, with status 502.').waitFor()
    await page.unrouteAll()
    await detail.getByRole('button', { name: 'Try again' }).click()
    await detail.getByRole('row', renamed).waitFor()
  })
})
