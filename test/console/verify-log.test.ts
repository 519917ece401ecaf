import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectSoon } from '../support/expect-soon.ts'

describe('verifying a log', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole({ sealsEvents: true })
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('happens once for each opening of its dialog, not again in a window that one comes back to', async (t) => {
    const page = await fixture.open(t, '/activity')
    let verifications = 0
    page.on('request', (request) => {
      if (request.url().includes('/admin/events/verif')) verifications++
    })
    const verify = page.getByRole('button', { name: 'Verify' })
    await verify.click()
    await page.getByText('The log is as it was sealed').waitFor()
    const listed = page.waitForResponse((response) => response.url().includes('/admin/events?'))
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await listed
    assert.equal(verifications, 1)
    await page.keyboard.press('Escape')
    await verify.click()
    await expectSoon(() => verifications, 2)
  })
})
