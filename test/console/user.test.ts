import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectDisabled, expectSoon, expectTexts, expectValue } from '../support/expect-soon.ts'

const password = 'correct horse battery'
const email = 'ada@example.com'
const phone = { width: 390, height: 844 }

describe('User', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  async function newUser(address = email) {
    const { admin } = fixture.service
    const tenant = await fixture.service.addTenant()
    const { tenantId } = tenant
    const body = { email: address, emailVerified: true, password }
    const { id: userId } = await admin.createUser({ tenantId }, body)
    const path = { tenantId, userId }
    return {
      ...tenant,
      userPath: path,
      path: `/tenants/${tenantId}/users/${userId}`,
    }
  }

  test('the state of an address is in the line of its name, however long the address', async (t) => {
    const { path } = await newUser(`${'maximiliana.'.repeat(4)}wolfe@example.com`)
    const page = await fixture.open(t, path)
    for (const viewport of [{ width: 1280, height: 860 }, phone]) {
      await page.setViewportSize(viewport)
      const term = page.getByRole('term').filter({ hasText: 'E-mail' })
      const centreOf = async (text: string) => {
        const { y, height } = (await term.getByText(text, { exact: true }).boundingBox())!
        return y + height / 2
      }
      await term.getByText('Verified', { exact: true }).waitFor()
      await expectSoon(async () => Math.abs((await centreOf('Verified')) - (await centreOf('E-mail'))) < 4, true)
    }
  })

  test('an address and a number of usual length are whole where panels are narrow', async (t) => {
    const { path, userPath } = await newUser('ada.lovelace@example.com')
    await fixture.service.admin.updateUser(userPath, { phone: '+33610000001' })
    const page = await fixture.open(t, path, { viewport: { width: 1024, height: 768 } })
    const values = page
      .getByRole('definition')
      .locator('bdi')
      .filter({ hasText: /^(ada|\+)/ })
    const areWhole = (all: Element[]) => all.map((one) => one.getBoundingClientRect().height < 30)
    await expectSoon(() => values.evaluateAll(areWhole), [true, true])
  })

  test('leads to all messages of each address', async (t) => {
    const { path, userPath } = await newUser('both@example.com')
    const page = await fixture.open(t, path)
    const links = page.getByRole('link', { name: /^All (messages|e-mail|SMS)$/ })
    await expectTexts(links, ['All messages'])
    await fixture.service.admin.updateUser(userPath, { phone: '+33610000002' })
    await page.reload()
    await expectTexts(links, ['All e-mail', 'All SMS'])
    await page.getByRole('link', { name: 'All SMS' }).click()
    await page.getByRole('heading', { level: 1, name: 'Messages' }).waitFor()
    await expectValue(page.getByLabel('Find an address or number'), '+33610000002')
  })

  test('marks ways to sign in that are off for the tenant, and says when each was added', async (t) => {
    const { path, tenantId } = await newUser()
    await fixture.service.admin.updateConfiguration({ tenantId }, { auth: { methods: ['password'] } })
    const page = await fixture.open(t, path)
    const ways = page.getByRole('definition').filter({ hasText: 'Password' }).getByRole('listitem')
    await ways.filter({ hasText: /^Code by e-mail added just now Off for this tenantRemove$/ }).waitFor()
    await ways.filter({ hasText: /^PasswordRemove$/ }).waitFor()
    await expectAccessible(page)
    const viewer = await fixture.service.admin.createOperator({
      name: 'Support',
      scopes: ['tenants:read', 'users:read'],
    })
    const restricted = await fixture.open(t, path, { key: viewer.key })
    await restricted.getByText('Code by e-mail').waitFor()
    await expectCount(restricted.getByText('Off for this tenant'), 0)
  })

  test('changes the address with a notice to the old one, and sends a password reset', async (t) => {
    const { path, tenantId, userPath } = await newUser()
    const page = await fixture.open(t, path, { expected: [/status of 422/] })
    await page.getByRole('button', { name: 'Change: E-mail' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill('new@example.com')
    await dialog.getByText('The old address gets a notice.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'new@example.com', level: 1 }).waitFor()
    const messages = async () => {
      await fixture.service.service.services.delivery.drain()
      const { items } = await fixture.service.admin.listMessages({ tenantId })
      return items.map(({ kind, recipient }) => `${kind} ${recipient}`)
    }
    assert.deepEqual(await messages(), [`email_changed ${email}`])
    const sendReset = async () => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Send a password reset' }).click()
      await page.getByRole('button', { name: 'Send the code' }).click()
    }
    await sendReset()
    await page.getByText('A code is on its way to new@example.com').waitFor()
    assert.deepEqual((await messages()).sort(), [`email_changed ${email}`, 'otp new@example.com'])
    await page.getByRole('list', { name: 'Latest messages' }).getByText('Password reset').waitFor()

    await page.getByRole('button', { name: 'Change: E-mail' }).click()
    await page.getByRole('dialog').getByRole('checkbox').uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await fixture.service.admin.getUser(userPath)).emailVerified, false)
    await sendReset()
    await page.getByRole('dialog').getByText('PASSWORD_NOT_RESETTABLE').waitFor()
  })

  test('an address that came while the dialog was open is not verified unseen, nor replaced without a word', async (t) => {
    const { admin } = fixture.service
    const { path, userPath } = await newUser()
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'Change: E-mail' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').uncheck()
    await admin.updateUser(userPath, { email: 'eve@example.com', emailVerified: false })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('it is eve@example.com now').waitFor()
    await expectAccessible(page)
    const stored = async () => (await admin.getUser(userPath)).email
    assert.equal(await stored(), 'eve@example.com')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: email, level: 1 }).waitFor()
    assert.equal(await stored(), email)
  })

  test('a password reset goes to no address that the operator has not seen', async (t) => {
    const { path, userPath } = await newUser()
    const page = await fixture.open(t, path)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Send a password reset' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a password reset?' })
    await dialog.getByText(email).waitFor()
    await fixture.service.admin.updateUser(userPath, { email: 'thief@example.com', emailVerified: true })
    await dialog.getByRole('button', { name: 'Send the code' }).click()
    await dialog.getByText('it is thief@example.com now').waitFor()
    await dialog.getByText('A code to set a new password goes to thief@example.com').waitFor()
    const sent = async () => {
      const { items } = await fixture.service.admin.listMessages({ tenantId: userPath.tenantId })
      return items.filter(({ kind }) => kind === 'otp').map(({ recipient }) => recipient)
    }
    assert.deepEqual(await sent(), [])
    await dialog.getByRole('button', { name: 'Send the code' }).click()
    await page.getByText('A code is on its way to thief@example.com').waitFor()
    assert.deepEqual(await sent(), ['thief@example.com'])
  })

  test('ends one session and all of them', async (t) => {
    const { path, client, userPath } = await newUser()
    for (let count = 0; count < 3; count++) await client.signIn({ method: 'password', email, password })
    const page = await fixture.open(t, path, { viewport: phone })
    const sessions = page.getByRole('list', { name: 'Open sessions' }).getByRole('listitem')
    await sessions.nth(2).waitFor()
    await expectAccessible(page)
    await sessions
      .first()
      .getByRole('button', { name: /^End the session/ })
      .click()
    await sessions.nth(2).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'End all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('Signed in nowhere').waitFor()
    assert.deepEqual((await fixture.service.admin.listUserSessions(userPath)).sessions, [])
  })

  test('ends a session at the second attempt when the first one failed', async (t) => {
    const { path, client, userPath } = await newUser()
    await client.signIn({ method: 'password', email, password })
    const page = await fixture.open(t, path, { expected: [/ERR_FAILED/] })
    await page.route('**/sessions/*', (route) => route.abort())
    await page.getByRole('button', { name: /^End the session/ }).click()
    await page.getByRole('alert').getByText('The server did not answer').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Signed in nowhere').waitFor()
    await expectCount(page.getByRole('alert'), 0)
    assert.deepEqual((await fixture.service.admin.listUserSessions(userPath)).sessions, [])
  })

  test('restricts single capabilities and lifts them', async (t) => {
    const { path, userPath } = await newUser()
    const page = await fixture.open(t, path, { colorScheme: 'dark' })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Restrict' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Uploading files').check()
    await dialog.getByLabel('Reason').fill('Spam pictures')
    await dialog.getByLabel('Until').fill('2099-01-02T03:04')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Uploading files').waitFor()
    await expectAccessible(page)
    const { restrictions } = await fixture.service.admin.getUser(userPath)
    assert.deepEqual(restrictions, [
      { capability: 'upload', reason: 'Spam pictures', until: '2099-01-02T03:04:00.000Z' },
    ])
    await page.getByRole('button', { name: 'Lift all restrictions' }).click()
    await page.getByText('The restrictions are lifted').waitFor()
    assert.deepEqual((await fixture.service.admin.getUser(userPath)).restrictions, [])
  })

  test('shows what happened to the user', async (t) => {
    const { path, userPath } = await newUser()
    await fixture.service.admin.updateUser(userPath, { suspension: { reason: 'Chargeback' } })
    await fixture.service.service.services.events.drain()
    const page = await fixture.open(t, path)
    const activity = page.getByRole('region', { name: 'Activity' })
    await activity.getByRole('row').filter({ hasText: 'suspended' }).waitFor()
    await expectAccessible(page)
    await activity.getByRole('link', { name: 'All activity' }).click()
    await page.waitForURL(/\/activity\?subjectId=/)
  })

  test('deletes a user only after their address is typed; their page then says so', async (t) => {
    const { path } = await newUser()
    const page = await fixture.open(t, path, { expected: [/status of 404/] })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const button = page.getByRole('dialog').getByRole('button', { name: 'Delete user' })
    await expectDisabled(button)
    await page.getByLabel(`Type “${email}” to confirm`).fill(email)
    await button.click()
    await page.getByText('No users yet').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'User not found', level: 1 }).waitFor()
    await expectAccessible(page)
  })
})
