import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectDisabled, expectSoon, expectValue } from '../support/expect-soon.ts'
import { type HttpPeer, startHttpPeer } from '../support/peers/http-peer.ts'

type Open = Parameters<ConsoleFixture['open']>

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const list = (page: Page) => page.getByRole('list', { name: 'Senders of e-mail, in order of preference' })
/** The names of the senders in the order of the list. */
const order = (page: Page) => list(page).getByRole('listitem').locator('bdi').allTextContents()
const act = async (page: Page, name: string, what: RegExp) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  return page.getByRole('menuitem', { name: what })
}

describe('the senders of a tenant', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let gateway: HttpPeer
  before(async () => {
    gateway = await startHttpPeer(({ path }) => ({ status: path === '/deaf' ? 503 : 204 }))
    fixture = await startConsole({ environment: 'production', allowPrivateDestinations: true })
  })
  after(async () => {
    await fixture?.[Symbol.asyncDispose]()
    await gateway.close()
  })

  async function openSenders(t: Open[0], { service, open } = fixture, how: Open[2] = {}) {
    const sender = (name: string, path: string) => ({ type: 'http', name, url: `${gateway.url}${path}`, secret })
    const email = [sender('one', '/deaf'), sender('two', '/'), sender('three', '/')]
    const { tenantId } = await service.addTenant({ configuration: { delivery: { email } } })
    const page = await open(t, `/tenants/${tenantId}/delivery`, how)
    await expectSoon(() => order(page), ['one', 'two', 'three'])
    const stored = async () =>
      ((await service.admin.readConfiguration({ tenantId })).delivery?.email ?? []).map(({ name }) => name)
    return { page, stored, tenantId, sender }
  }

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  }

  test('are ordered by the keyboard, with announcements, and by the mouse', async (t) => {
    const { page, stored } = await openSenders(t)
    await page.getByRole('button', { name: 'Move one' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('Picked up one, position 1 of 3.').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByText('one is now at position 2 of 3.').waitFor()
    await page.keyboard.press('Space')
    await page.getByText('Dropped one at position 2 of 3.').waitFor()
    await expectSoon(() => order(page), ['two', 'one', 'three'])
    await expectAccessible(page)
    const [from, to] = await Promise.all(
      ['three', 'two'].map((name) => page.getByRole('button', { name: `Move ${name}` }).boundingBox()),
    )
    await page.mouse.move(from!.x + 8, from!.y + 8)
    await page.mouse.down()
    await page.mouse.move(from!.x + 8, from!.y - 10, { steps: 3 })
    // A move before the list is measured would move nothing.
    await page.getByText('Picked up three, position 3 of 3.').waitFor()
    await page.mouse.move(to!.x + 8, to!.y + 4, { steps: 5 })
    await page.getByText('three is now at position 1 of 3.').waitFor()
    await page.mouse.up()
    await expectSoon(() => order(page), ['three', 'two', 'one'])
    await save(page)
    assert.deepEqual(await stored(), ['three', 'two', 'one'])
  })

  /** A tenant with senders of SMTP. */
  async function openSmtp(t: Open[0], email: readonly object[], how: Open[2] = {}) {
    const { tenantId } = await fixture.service.addTenant({ configuration: { delivery: { email } } })
    const page = await fixture.open(t, `/tenants/${tenantId}/delivery`, how)
    const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name, exact: true })
    return { tenantId, page, field }
  }

  test('that are refused keep the secret that was typed, until it is saved', async (t) => {
    const { tenantId, page, field } = await openSmtp(t, [], { expected: [/status of 400/] })
    const senders = page.getByRole('region', { name: 'Senders of e-mail' })
    await senders.getByRole('button', { name: 'Add a sender' }).click()
    await field('Host').fill('not a host')
    await field('User name').fill('apikey')
    await field('Password').fill('hidden-password')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await senders.getByText('host: Give the host name alone').waitFor()
    await (await act(page, 'smtp', /Edit/)).click()
    await expectValue(field('Password'), '')
    await field('Host').fill('smtp.example.com')
    await page.getByRole('button', { name: 'Apply' }).click()
    await save(page)
    const { delivery } = await fixture.service.admin.readConfiguration({ tenantId })
    const stored = { type: 'smtp', name: 'smtp', host: 'smtp.example.com', port: 587 }
    assert.deepEqual(delivery?.email, [{ ...stored, user: 'apikey', password: maskedSecret }])
  })

  test('say that a secret is kept if they have one', async (t) => {
    const open = { type: 'smtp', name: 'open', host: 'smtp.example.com' }
    const closed = { ...open, name: 'closed', user: 'apikey', password: 'hidden-password' }
    const { page, field } = await openSmtp(t, [open, closed])
    for (const [name, placeholder] of [
      ['open', null],
      ['closed', 'Leave empty to keep it'],
    ] as const) {
      await (await act(page, name, /Edit/)).click()
      await expectSoon(() => field('Password').getAttribute('placeholder'), placeholder)
      await expectCount(page.getByText('A stored secret is kept'), placeholder === null ? 0 : 1)
      await page.keyboard.press('Escape')
      await field('Password').waitFor({ state: 'detached' })
    }
  })

  test('show no secret that was typed when another operator saved first', async (t) => {
    const { tenantId, page, field } = await openSmtp(t, [], { expected: [/status of 412/] })
    await page.getByRole('region', { name: 'Senders of e-mail' }).getByRole('button', { name: 'Add a sender' }).click()
    await field('Host').fill('smtp.example.com')
    await field('User name').fill('apikey')
    await field('Password').fill('hidden-password')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await fixture.service.admin.updateConfiguration({ tenantId }, { own: { theme: 'dark' } })
    await page.getByRole('button', { name: 'Save' }).click()
    const mine = page.getByRole('dialog').getByRole('table', { name: 'Yours' })
    await mine.getByText('smtp.example.com').waitFor()
    await expectCount(mine.getByText('hidden-password'), 0)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const { delivery } = await fixture.service.admin.readConfiguration({ tenantId })
    assert.equal((delivery?.email?.[0] as { password?: string }).password, maskedSecret)
  })

  test('are tested one at a time, as they are stored', async (t) => {
    const { page } = await openSenders(t)
    const before = gateway.requests.length
    await (await act(page, 'two', /^Send a test/)).click()
    const dialog = page.getByRole('dialog', { name: 'Test “two”' })
    await dialog.getByLabel('To this address').fill('me@example.com')
    await page.keyboard.press('Enter')
    const report = dialog.getByRole('status').getByRole('listitem')
    await report.filter({ hasText: 'two' }).getByText('Accepted').waitFor()
    await expectCount(report, 1)
    assert.equal(gateway.requests.length, before + 1)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await (await act(page, 'one', /^Send a test/)).click()
    await page.getByLabel('To this address', { exact: true }).fill('me@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText(/503/).waitFor()
    await page.keyboard.press('Escape')
    // One failure is not enough to skip it, and no sign that it works.
    const first = list(page).getByRole('listitem').first()
    await expectSoon(async () => /^1\. one\s+Your own gateway/.test(await first.innerText()), true)
    await (await act(page, 'one', /^Move down/)).click()
    const refused = await act(page, 'one', /^Send a test… \(save first/)
    await expectDisabled(refused)
  })

  test('what another operator saves while one is edited moves no other into its place', async (t) => {
    const { page, stored, tenantId, sender } = await openSenders(t, fixture, {
      isNew: true,
      expected: [/status of 412/],
    })
    await page.clock.install()
    await (await act(page, 'two', /^Edit/)).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('second')
    const email = [sender('two', '/'), sender('three', '/')]
    await fixture.service.admin.updateConfiguration({ tenantId }, { delivery: { email } })
    const read = page.waitForResponse(/\/configuration$/)
    // The page reads again what is old when one comes back to it.
    await page.clock.fastForward(60_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await read
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expectSoon(() => order(page), ['one', 'second', 'three'])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Another operator changed this meanwhile' }).waitFor()
    assert.deepEqual(await stored(), ['two', 'three'])
  })

  test('are not used outside production, which is said', async () => {
    await using staging = await startConsole({ allowPrivateDestinations: true })
    const ends: (() => Promise<void>)[] = []
    const { page } = await openSenders({ after: (end) => void ends.push(end) }, staging)
    await page.getByText('These are used in production only. Here, e-mail goes to the code inbox.').waitFor()
    await page.getByText('Outside production nothing is sent: every SMS goes to the code inbox.').waitFor()
    await expectDisabled(await act(page, 'one', /^Send a test… \(in production only\)/))
    await page.keyboard.press('Escape')
    await page.getByLabel('Send the test to this address').fill('me@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByRole('link', { name: 'code inbox' }).click()
    await page.getByRole('heading', { name: 'Code inbox', level: 1 }).waitFor()
    await page.getByText('me@example.com').waitFor()
    for (const end of ends) await end()
  })
})
