import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'
import { addPerson } from '../support/person.ts'

/** Clicks twice at one place, as a double click does, with what is shown between the two. */
async function clickTwice(page: Page, control: Locator, between: () => Promise<unknown>): Promise<void> {
  // Until it no longer moves.
  await control.click({ trial: true })
  const { x, y, width, height } = (await control.boundingBox())!
  await page.mouse.click(x + width / 2, y + height / 2)
  await between()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
}

describe('the second click of a double click', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('on Done does not close a new key that is not copied', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('web app')
    await page.getByRole('button', { name: 'Create key' }).click()
    const giveUp = page.getByRole('button', { name: 'Close without it' })
    await clickTwice(page, page.getByRole('button', { name: 'Done' }), () => giveUp.waitFor())
    await page.getByText('tk_pub_').first().waitFor()
    // The keyboard, and a separate click, act.
    await giveUp.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('on the end of a session does not end the next one', async (t) => {
    const tenant = await fixture.service.addTenant()
    const { tenantId } = tenant
    const person = await addPerson(fixture.service, tenant)
    for (let count = 0; count < 3; count++) await person.signIn()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${person.userId}`)
    const ends = page.getByRole('button', { name: 'End the session on' })
    await expectCount(ends, 3)
    await clickTwice(page, ends.first(), () => expectCount(ends, 2))
    const stored = async () =>
      (await fixture.service.admin.listUserSessions({ tenantId, userId: person.userId })).sessions.length
    // The click that follows is a separate one.
    await ends.first().click()
    await expectCount(ends, 1)
    await expectSoon(stored, 1)
  })

  test('on the button of a form that is answered already sends nothing', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/delivery`)
    let sends = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/delivery/test')) sends++
    })
    await page.getByLabel('Send the test to this address').fill('ada@example.com')
    const send = page.getByRole('button', { name: 'Send the test' })
    const answered = page.getByRole('status').getByText('It is in the code inbox')
    await clickTwice(page, send, async () => {
      await answered.waitFor()
      await send.click({ trial: true })
    })
    // A separate click sends another one.
    await send.click()
    const stored = async () => (await fixture.service.admin.listTestingChannelMessages({ tenantId })).messages.length
    await expectSoon(stored, 2)
    await expectSoon(() => sends, 2)
  })
})
