import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectSoon } from '../support/expect-soon.ts'

const expected = [/ERR_FAILED/, /status of 404/]
const noAnswer = 'The server did not answer'

/** The next request of a method is served, and its answer lost. */
async function loseAnswer(page: Page, method: string): Promise<void> {
  let isLost = false
  await page.route('**/admin/**', async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
}

describe('an act that succeeds while its answer is lost', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** Opens the dialog of an act on what is named, loses the answer, and says that it was lost. */
  async function actUnanswered(page: Page, [of, item, button]: readonly [string, string, string], method = 'POST') {
    await page.getByRole('button', { name: `Actions of the ${of}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await loseAnswer(page, method)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await dialog.getByText(noAnswer).waitFor()
    return dialog
  }

  test('rotates a key of a tenant once, and shows the new one', async (t) => {
    const { admin } = fixture.service
    const { id: tenantId } = await admin.createTenant({ name: 'Acme Shop' })
    await admin.createTenantKey({ tenantId }, { name: 'web app' })
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`, { expected })
    const dialog = await actUnanswered(page, ['key web app', 'Rotate…', 'Rotate'])
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('This is the only time the key is shown').waitFor()
    assert.equal((await admin.listTenantKeys({ tenantId })).items.length, 2)
  })

  test('rotates the key of an operator once, and shows the new one', async (t) => {
    const { admin } = fixture.service
    await admin.createOperator({ name: 'deployer', role: 'viewer' })
    const page = await fixture.open(t, '/operators', { expected })
    const dialog = await actUnanswered(page, ['operator deployer', 'Rotate the key…', 'Rotate'])
    await dialog.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('This is the only time the key is shown').waitFor()
    const rotations = async () => (await admin.listDeploymentEvents({ type: 'operator.rotated' })).items.length
    await fixture.service.service.services.events.drain()
    await expectSoon(rotations, 1)
  })
})
