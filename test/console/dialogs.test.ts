import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, expectReadableColours } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { choose, type ExpectedDialog, expectDialog, focused, press } from '../support/browser/expect-dialog.ts'
import { expectSoon } from '../support/expect-soon.ts'
import { addPerson } from '../support/person.ts'

const key = (name: string) => (page: Page) => page.keyboard.press(name)

describe('every dialog', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  let email: string
  let user: string
  let tenant: string
  before(async () => {
    fixture = await startConsole()
    const made = await fixture.service.addTenant({
      configuration: { delivery: { email: [{ type: 'smtp', name: 'main', host: 'smtp.example.com', port: 587 }] } },
    })
    const { tenantId } = made
    const { admin, service } = fixture.service
    await admin.updateTenant({ tenantId }, { name: 'Acme Shop' })
    await admin.createTenantKey({ tenantId }, { name: 'web app' })
    await admin.createOperator({ name: 'Ada', role: 'support' })
    const person = await addPerson(fixture.service, made)
    await admin.updateUser({ tenantId, userId: person.userId }, { emailVerified: true })
    await person.signIn()
    await service.services.events.drain()
    email = person.email
    tenant = `/tenants/${tenantId}`
    user = `${tenant}/users/${person.userId}`
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** One page for the dialogs of a screen. */
  function dialogsOf(name: string, path: () => string, shown: string | RegExp, dialogs: () => ExpectedDialog[]): void {
    test(`of ${name} is accessible, fits, and has the focus`, async (t) => {
      const page = await fixture.open(t, path())
      await page.getByRole('main').getByText(shown).first().waitFor()
      for (const dialog of dialogs()) await expectDialog(page, dialog)
    })
  }

  dialogsOf(
    'all screens',
    () => '/tenants',
    'Acme Shop',
    () => [
      { name: 'Go to', focus: 'Go to', open: key('Control+k'), returns: 'Tenants' },
      { name: 'Keyboard shortcuts', focus: 'Close', open: key('?'), returns: 'Tenants' },
      { name: 'New tenant', focus: 'Name', open: press('New tenant'), returns: 'New tenant' },
    ],
  )

  dialogsOf(
    'a tenant',
    () => tenant,
    'Acme Shop',
    () => [
      { name: 'Rename tenant', focus: 'Name', open: choose('Change', 'Rename'), returns: 'Change' },
      { name: 'Restrict tenant', focus: 'Sign up', open: choose('Change', 'Restrict'), returns: 'Change' },
      { name: 'Suspend tenant', focus: 'Cancel', open: choose('Change', 'Suspend'), returns: 'Change' },
      {
        ...{ name: 'Delete tenant', focus: 'Type “Acme Shop” to confirm' },
        ...{ open: choose('Change', 'Delete'), returns: 'Change' },
      },
    ],
  )

  dialogsOf(
    'the users',
    () => `${tenant}/users`,
    'Export',
    () => [
      { name: 'New user', focus: 'E-mail address', open: press('New user'), returns: 'New user' },
      { name: 'Export users', focus: 'Include sensitive fields', open: press('Export'), returns: 'Export' },
    ],
  )

  dialogsOf(
    'a user',
    () => user,
    'End all',
    () => [
      { name: 'Suspend this user?', focus: 'Reason', open: press('Suspend'), returns: 'Suspend' },
      {
        ...{ name: 'Restrict this user', focus: 'Signing in' },
        ...{ open: choose('More actions', 'Restrict'), returns: 'More actions' },
      },
      {
        ...{ name: 'Send a password reset?', focus: 'Cancel' },
        ...{ open: choose('More actions', 'Send a password reset'), returns: 'More actions' },
      },
      {
        ...{ name: 'Delete this user?', focus: `Type “${email}” to confirm` },
        ...{ open: choose('More actions', 'Delete'), returns: 'More actions' },
      },
      {
        ...{ name: 'Remove “Password”?', focus: 'Cancel' },
        ...{ open: press('Remove: Password'), returns: 'Remove: Password' },
      },
      { name: 'End all sessions?', focus: 'Cancel', open: press('End all'), returns: 'End all' },
      ...(['E-mail', 'Phone'] as const).map((what) => {
        const [name, opener] = [what === 'Phone' ? 'Phone number' : 'E-mail address', `Change: ${what}`]
        return { name, focus: name, open: press(opener), returns: opener }
      }),
    ],
  )

  dialogsOf(
    'the delivery',
    () => `${tenant}/delivery`,
    'main',
    () => [
      { name: 'Add a sender of e-mail', focus: 'Type', open: press('Add a sender'), returns: 'Add a sender' },
      {
        ...{ name: 'Edit the sender', focus: 'Type' },
        ...{ open: choose('Actions for main', 'Edit'), returns: 'Actions for main' },
      },
    ],
  )

  dialogsOf(
    'the keys',
    () => `${tenant}/keys`,
    'web app',
    () => {
      const menu = 'Actions of the key web app'
      return [
        { name: 'New key', focus: 'Name', open: press('New key'), returns: 'New key' },
        { name: 'Rotate the key', focus: 'The old key works for', open: choose(menu, 'Rotate…'), returns: menu },
        { name: 'Revoke the key?', focus: 'Cancel', open: choose(menu, 'Revoke…'), returns: menu },
        {
          ...{ name: 'The new key', focus: 'Copy the key', returns: 'New key' },
          async open(page) {
            await press('New key')(page)
            await page.getByLabel('Name').fill('made here')
            await page.keyboard.press('Enter')
          },
          close: (page) => page.getByRole('button', { name: 'Close without it' }).click(),
        },
      ]
    },
  )

  dialogsOf(
    'the activity',
    () => `${tenant}/activity`,
    'changed the tenant',
    () => [
      { name: 'Export events', focus: 'Cancel', open: choose('Evidence', 'Export all events…'), returns: 'Evidence' },
      { name: 'Checkpoints', focus: 'Close', open: choose('Evidence', 'Checkpoints…'), returns: 'Evidence' },
      { name: 'Verify the log', focus: 'Close', open: press('Verify'), returns: 'Verify' },
      {
        ...{ name: 'Event', focus: 'Close', returns: /: details$/ },
        open: (page) =>
          page
            .getByRole('link', { name: /details$/ })
            .first()
            .click(),
      },
    ],
  )

  dialogsOf(
    'the code inbox',
    () => '/code-inbox',
    'Clear',
    () => [{ name: 'Clear the code inbox?', focus: 'Cancel', open: press('Clear'), returns: 'Clear' }],
  )

  dialogsOf(
    'the operators',
    () => '/operators',
    'Ada',
    () => {
      const menu = 'Actions of the operator Ada'
      return [
        { name: 'New operator', focus: 'Name', open: press('New operator'), returns: 'New operator' },
        { name: 'Change the operator', focus: 'Name', open: choose(menu, 'Change…'), returns: menu },
        {
          name: 'Rotate the key',
          focus: 'The old key works for',
          open: choose(menu, 'Rotate the key…'),
          returns: menu,
        },
        { name: 'Revoke the operator?', focus: 'Cancel', open: choose(menu, 'Revoke…'), returns: menu },
      ]
    },
  )

  dialogsOf(
    'the signing keys',
    () => '/signing-keys',
    'Signs',
    () => [
      { name: 'Rotate the signing keys?', focus: 'Cancel', open: press('Rotate…'), returns: 'Rotate…' },
      { name: 'Withdraw all signing keys?', focus: 'Cancel', open: press('Withdraw all…'), returns: 'Withdraw all…' },
    ],
  )

  test('of changed settings is accessible, fits, and has the focus', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/sign-in`, { expected: [/status of 412/] })
    await page.getByLabel('Digits').fill('8')
    await expectDialog(page, {
      ...{ name: 'Leave without saving?', focus: 'Stay', returns: 'Keys' },
      open: () => page.getByRole('link', { name: 'Keys', exact: true }).click(),
    })
    await fixture.service.admin.updateConfiguration({ tenantId }, { otp: { length: 5 } })
    await expectDialog(page, {
      ...{ name: 'Another operator changed this meanwhile', focus: 'Close', returns: 'Save' },
      open: press('Save'),
    })
  })

  test('of an ended session is accessible, fits, and stays until one signs in or leaves', async (t) => {
    const { key: operatorKey } = await fixture.service.admin.createOperator({ name: 'Grace', role: 'viewer' })
    const page = await fixture.open(t, '/operators', { key: operatorKey, expected: [/status of 401/] })
    await page.getByRole('main').getByText('Ada').waitFor()
    await page.context().clearCookies()
    await expectDialog(page, {
      ...{ name: 'Your session has ended', focus: 'Admin key', returns: 'Tenants' },
      open: () => page.getByRole('link', { name: 'Tenants', exact: true }).click(),
      async close() {
        await page.keyboard.insertText(operatorKey)
        await page.keyboard.press('Enter')
        await page.getByRole('main').getByText('Acme Shop').waitFor()
      },
    })
  })

  test('the navigation of a phone has the focus, and Escape gives it back', async (t) => {
    const page = await fixture.open(t, user, { viewport: { width: 390, height: 844 } })
    await page.getByRole('heading', { level: 1, name: email }).waitFor()
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await expectSoon(() => focused(page), 'Overview')
    await expectAccessible(page, 'nav')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
    await expectReadableColours(page, 'nav')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expectSoon(() => focused(page), 'Open the navigation')
    await page.getByRole('link', { name: 'Overview' }).first().waitFor({ state: 'hidden' })
  })
})
