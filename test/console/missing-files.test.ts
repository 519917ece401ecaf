import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, signIn, startConsole } from '../support/browser/console-page.ts'
import { openRestartableConsole } from '../support/browser/restartable-console.ts'
import { addTenantWithSchema, openDialog, openField } from '../support/browser/schema-editor.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'
import { testAdminKey } from '../support/service.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const link = (page: Page, name: string) => page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name })

/** The addresses at which the page was loaded. */
function countLoads(page: Page): string[] {
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(request.url())
  })
  return loads
}

/** Clicks what loads the page again. The old page, which says the same, can be there for a while. */
async function clickAndLoad(page: Page, target: Locator): Promise<void> {
  const loaded = page.waitForEvent('load')
  await target.click()
  await loaded
}

describe('files of a screen that are not loaded', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const expected = [/status of 404/, /preload CSS/, /dynamically imported module/, /LoadError/]

  for (const [kind, ending] of [
    ['stylesheet', 'css'],
    ['script', 'js'],
  ] as const)
    test(`a ${kind} with a new name since an upgrade: the page is loaded again, once, at the address of the screen`, async (t) => {
      const page = await fixture.open(t, '/tenants', { isNew: true, expected })
      await heading(page, 'Tenants')
      const loads = countLoads(page)
      await page.route(`**/assets/code-inbox-*.${ending}`, (route) =>
        loads.length === 0 ? route.fulfill({ status: 404 }) : route.continue(),
      )
      await link(page, 'Code inbox').click()
      await page.getByText('No codes yet').waitFor()
      await heading(page, 'Code inbox')
      assert.deepEqual(loads, [`${fixture.service.adminUrl}/console/code-inbox`])
      await expectSoon(() => page.locator('link[rel=stylesheet][href*=code-inbox]').count(), 1)
    })

  test('a stylesheet that failed while the pointer was over the link: the screen is not shown without it', async (t) => {
    const page = await fixture.open(t, '/tenants', { isNew: true, expected })
    await heading(page, 'Tenants')
    const loads = countLoads(page)
    await page.route('**/assets/code-inbox-*.css', (route) => route.fulfill({ status: 404 }))
    const answered = page.waitForResponse('**/assets/code-inbox-*.css')
    await link(page, 'Code inbox').hover()
    await answered
    await page.unrouteAll()
    await link(page, 'Code inbox').click()
    await heading(page, 'Code inbox')
    await expectSoon(() => loads.length, 1)
    await expectSoon(() => page.locator('link[rel=stylesheet][href*=code-inbox]').count(), 1)
  })

  test('a dialog of a screen, too', async (t) => {
    const page = await fixture.open(t, '/operators', { isNew: true, expected })
    await heading(page, 'Operators')
    const loads = countLoads(page)
    await page.route('**/assets/edit-operator-*.js', (route) =>
      loads.length === 0 ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.getByRole('button', { name: 'New operator' }).click()
    await expectSoon(() => loads.length, 1)
    await page.getByRole('button', { name: 'New operator' }).click()
    await page.getByRole('dialog').waitFor()
    assert.equal(loads.length, 1)
  })

  test('an upgrade takes nothing from a changed draft of a profile schema', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path, { isNew: true })
    await openField(page, 'firstName')
    const editor = page.waitForResponse('**/assets/json-editor-view-*.js')
    await page.getByLabel('Label', { exact: true }).fill('Given name')
    await editor
    await page.waitForLoadState('networkidle')
    await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
    const views = page.getByRole('radiogroup', { name: 'View', exact: true })
    for (const view of ['Forms', 'Migrations', 'Versions', 'JSON', 'Fields']) {
      await views.getByText(view, { exact: true }).click()
      await expectCount(page.locator('.mantine-Skeleton-root'), 0)
    }
    await page.getByRole('button', { name: 'Publish…' }).click()
    await openDialog(page, 'Publish a version').getByRole('button', { name: 'Publish the next version' }).click()
    await page.getByText('Version 3 is current.', { exact: true }).waitFor()
  })

  test('a file that stays missing: the page is not loaded forever, and other screens are within reach', async (t) => {
    const page = await fixture.open(t, '/tenants', { isNew: true, expected })
    await heading(page, 'Tenants')
    const loads = countLoads(page)
    await page.route('**/assets/signing-keys-*.js', (route) => route.fulfill({ status: 404 }))
    await clickAndLoad(page, link(page, 'Signing keys'))
    await page.getByRole('alert').getByText('it did not send a file of this screen').waitFor()
    await heading(page, 'Signing keys')
    assert.equal(loads.length, 1)
    await expectAccessible(page)
    await clickAndLoad(page, link(page, 'Tenants'))
    await heading(page, 'Tenants')
    await clickAndLoad(page, link(page, 'Signing keys'))
    await page.getByRole('alert').waitFor()
    await page.unrouteAll()
    await clickAndLoad(page, page.getByRole('button', { name: 'Try again' }))
    await page.getByText('Signs', { exact: true }).waitFor()
    // One load for each click.
    const paths = loads.map((url) => new URL(url).pathname.replace('/console/', ''))
    assert.deepEqual(paths, ['signing-keys', 'tenants', 'signing-keys', 'signing-keys'])
  })
})

test('a server that is down when a screen is first opened: it is said, and the next attempt shows the screen', {
  skip: withoutBrowser,
}, async (t) => {
  const { front, context, page, start } = await openRestartableConsole(t)
  const before = await start()
  front.forwardTo(before.baseUrl)
  await signIn(context, before.baseUrl, testAdminKey)
  await page.goto(`${front.url}/console/tenants`)
  await heading(page, 'Tenants')
  front.forwardTo(null)
  await before.close()
  for (const name of ['Code inbox', 'Operators']) {
    await link(page, name).click()
    await heading(page, name)
    await page.getByRole('alert').getByText('The server did not answer').waitFor()
  }
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').getByText('The server did not answer').waitFor()
  await expectCount(link(page, 'Tenants'), 1)
  await using again = await start()
  front.forwardTo(again.baseUrl)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No operators yet').waitFor()
  await heading(page, 'Operators')
  await link(page, 'Code inbox').click()
  await heading(page, 'Code inbox')
  await expectCount(page.getByRole('alert'), 0)
})
