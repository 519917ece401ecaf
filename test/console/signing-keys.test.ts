import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible, setTextSize } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'

describe('the signing keys', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('rotate after a question: the next key is listed', async (t) => {
    const page = await fixture.open(t, '/signing-keys')
    await page.getByRole('cell', { name: 'Signs', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByText('The next key is published now and signs in ten minutes.').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('cell', { name: 'Next', exact: true }).waitFor()
    await expectAccessible(page)
    const { keys } = await fixture.service.admin.listSigningKeys()
    assert.deepEqual(
      keys.map(({ state }) => state),
      ['current', 'next'],
    )
  })

  test('show a whole id in one line on a phone, and with a large text in a few', async (t) => {
    const page = await fixture.open(t, '/signing-keys', { viewport: { width: 390, height: 844 } })
    const kid = (await fixture.service.admin.listSigningKeys()).keys[0]!.kid
    const shown = page.getByText(kid, { exact: true })
    const linesOf = (element: Element): number => {
      const text = document.createRange()
      text.selectNodeContents(element)
      return text.getClientRects().length
    }
    await expectSoon(() => shown.evaluate(linesOf), 1)
    await setTextSize(page, '200%')
    await expectSoon(async () => (await shown.evaluate(linesOf)) <= 4, true)
    await setTextSize(page, '100%')
  })

  test('are withdrawn after a question that says what it costs', async (t) => {
    const page = await fixture.open(t, '/signing-keys')
    await page.getByRole('button', { name: 'Withdraw all…' }).click()
    await page.getByText(/every access token of every tenant is refused/).waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw all' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await fixture.service.admin.listSigningKeys()).keys.length, 1)
  })

  test('are not offered for change to an operator who may only read', async (t) => {
    const { key } = await fixture.service.admin.createOperator({ name: 'Viewer', role: 'viewer' })
    const page = await fixture.open(t, '/signing-keys', { key })
    await page.getByRole('cell', { name: 'Signs', exact: true }).waitFor()
    await expectCount(page.getByRole('button', { name: 'Rotate…' }), 0)
  })
})
