import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'

describe('the frame that shows a message', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** Shows HTML in a frame of the console, as its previews do. */
  async function show(page: Page, html: string): Promise<Frame> {
    await page.evaluate(async (message) => {
      const frame = document.createElement('iframe')
      frame.sandbox.add('allow-scripts')
      frame.src = '/console/mail-frame.html'
      document.body.append(frame)
      await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
      frame.contentWindow!.postMessage(message, '*')
    }, html)
    return page.frames().find((frame) => frame.url().endsWith('/mail-frame.html')) ?? assert.fail('no frame')
  }

  test('shows its styles, runs none of its scripts and loads nothing (threat K09)', async (t) => {
    // The browser prints what the policy of the frame refuses.
    const page = await fixture.open(t, '/', { key: null, expected: [/mail-frame\.html/] })
    const refused: string[] = []
    const sent: string[] = []
    page.on('requestfailed', (request) => refused.push(`${request.failure()?.errorText} ${request.url()}`))
    page.on('requestfinished', (request) => sent.push(request.url()))
    const frame = await show(
      page,
      `<html><head><style>p { color: rgb(1, 2, 3) }</style><meta http-equiv="refresh" content="0; url=/console/"></head>
      <body style="background-color: rgb(4, 5, 6)" onload="document.title = 'ran'">
        <p>Your code is 123456</p>
        <script>document.title = 'ran'</script>
        <img src="x" onerror="document.title = 'ran'">
        <img src="https://tracker.example/open.gif">
        <a href="https://evil.example/">Reset</a>
        <form action="https://evil.example/"><input name="q"><button>Send</button></form>
        <svg><script>document.title = 'ran'</script></svg>
      </body></html>`,
    )
    await frame.getByText('Your code is 123456').waitFor()
    await expectSoon(() => frame.locator('p').evaluate((element) => getComputedStyle(element).color), 'rgb(1, 2, 3)')
    const background = () => frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
    await expectSoon(background, 'rgb(4, 5, 6)')
    await frame.getByRole('link', { name: 'Reset' }).click()
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByText('Your code is 123456').waitFor()
    assert.notEqual(await frame.title(), 'ran')
    assert.equal(await frame.evaluate(() => window.origin), 'null')
    await expectSoon(() => refused.filter((text) => text.includes('tracker')), ['csp https://tracker.example/open.gif'])
    const foreign = sent.filter((url) => !url.startsWith(fixture.service.baseUrl))
    assert.deepEqual(foreign, [])
  })

  test('shows the first message that the console posts, and no later one', async (t) => {
    const page = await fixture.open(t, '/', { key: null })
    const frame = await show(page, '<p>First</p>')
    await frame.getByText('First').waitFor()
    const arrival = await frame.evaluateHandle(() => ({
      arrived: new Promise((resolve) => addEventListener('message', resolve, { once: true })),
    }))
    await page.evaluate(() => document.querySelector('iframe')!.contentWindow!.postMessage('<p>Second</p>', '*'))
    await arrival.evaluate(({ arrived }) => arrived.then(() => {}))
    await expectCount(frame.getByText('Second'), 0)
  })
})
