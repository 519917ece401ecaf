import { test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { startConsole } from '../support/browser/console-page.ts'
import { expectCount } from '../support/expect-soon.ts'

test('a code that arrives before the answer to Clear stays', { skip: withoutBrowser }, async (t) => {
  await using fixture = await startConsole()
  const { client, tenantId } = await fixture.service.addTenant()
  const issue = (email: string) => client.issueOtp({ scope: 'otp_signin', email })
  await issue('gone@example.com')
  const page = await fixture.open(t, `/code-inbox?tenantId=${tenantId}`)
  const gone = page.getByText('gone@example.com')
  await gone.waitFor()
  await page.route('**/admin/testing-channel/**', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback()
    const response = await route.fetch()
    await issue('stored@example.com')
    await page.getByText('stored@example.com').waitFor()
    await route.fulfill({ response })
  })
  const clear = page.getByRole('button', { name: 'Clear', exact: true })
  await clear.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByText('The inbox is clear.').waitFor()
  await expectCount(gone, 0)
  await expectCount(page.getByText('stored@example.com'), 1)
})
