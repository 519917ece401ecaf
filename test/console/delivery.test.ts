import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { maskedSecret } from '../../contract/senders/sender-kind.ts'
import { PermanentFailure, type Provider } from '../../server/delivery/provider.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import {
  expectCount,
  expectDisabled,
  expectInView,
  expectInvalid,
  expectSoon,
  expectTexts,
  expectValue,
} from '../support/expect-soon.ts'

const provider = (name: string, failure: Error | null): Provider => ({
  name,
  method: 'email',
  send: async () => {
    if (failure !== null) throw failure
  },
  async close() {},
})
const broken = provider('second', new PermanentFailure('550 relaying denied'))

describe('Delivery', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole({ environment: 'production', deploymentProviders: [provider('first', null), broken] })
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  type Options = Parameters<ConsoleFixture['open']>[2] & { readonly delivery?: object; readonly search?: string }

  async function openDelivery(
    t: Parameters<ConsoleFixture['open']>[0],
    { delivery = {}, search = '', ...options }: Options = {},
  ) {
    const { tenantId } = await fixture.service.addTenant({ configuration: { delivery } })
    const page = await fixture.open(t, `/tenants/${tenantId}/delivery${search}`, options)
    await page.getByRole('heading', { name: 'Addresses and limits' }).waitFor()
    const stored = async () => (await fixture.service.admin.readConfiguration({ tenantId })).delivery!
    return { page, stored }
  }

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  }

  const smtp = { type: 'smtp', host: 'smtp.example.com', port: 587 } as const
  const mail = (page: Page) => page.getByRole('region', { name: 'Senders of e-mail' })

  test('adds a sender, and orders the list; a stored secret is never shown and stays', async (t) => {
    const { page, stored } = await openDelivery(t)
    await mail(page).getByText("The deployment's own senders are used").waitFor()
    await mail(page).getByText('first').waitFor()
    await page.getByText('Nothing sends SMS: neither the tenant nor the deployment has a sender.').waitFor()
    await expectAccessible(page)
    const add = async (fields: Readonly<Record<string, string>>) => {
      await mail(page).getByRole('button', { name: 'Add a sender' }).click()
      const dialog = page.getByRole('dialog')
      for (const [label, value] of Object.entries(fields)) {
        await dialog.getByRole('textbox', { name: label, exact: true }).fill(value)
      }
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await add({
      Name: 'main',
      Host: 'smtp.example.com',
      Port: '587',
      'User name': 'apikey',
      Password: 'hidden-password',
    })
    await add({ Name: 'spare', Host: 'smtp.example.org', Port: '465' })
    await save(page)
    const main = { ...smtp, name: 'main', user: 'apikey', password: maskedSecret }
    const spare = { type: 'smtp', name: 'spare', host: 'smtp.example.org', port: 465 }
    assert.deepEqual((await stored()).email, [main, spare])

    await page.getByRole('button', { name: 'Actions for main' }).click()
    const moveDown = page.getByRole('menuitem', { name: 'Move down' })
    await moveDown.waitFor()
    await expectAccessible(page)
    await moveDown.click()
    await save(page)
    assert.deepEqual((await stored()).email, [spare, main])
    await page.getByRole('button', { name: 'Actions for main' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expectValue(page.getByRole('textbox', { name: 'Password' }), '')
    assert.ok(!(await page.content()).includes('hidden-password'))
    await page.getByRole('textbox', { name: 'User name' }).fill('other')
    await page.getByRole('textbox', { name: 'Password' }).fill('another-password')
    await page.getByRole('button', { name: 'Apply' }).click()
    await save(page)
    assert.deepEqual((await stored()).email, [spare, { ...main, user: 'other' }])
  })

  test("puts the server's messages at the sender", async (t) => {
    const delivery = { email: [{ ...smtp, user: 'apikey', password: 'hidden-password' }] }
    const { page } = await openDelivery(t, { delivery, expected: [/status of 400/] })
    await page.getByRole('button', { name: 'Actions for smtp' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Host' }).fill('smtp.example.net')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.getByRole('button', { name: 'Save' }).click()
    await expectInView(mail(page).getByText('password: Give the secret itself'))
    await expectAccessible(page)
  })

  test("the server's messages move with their sender", async (t) => {
    const delivery = { email: ['one', 'two', 'three'].map((name) => ({ ...smtp, name })) }
    const { page } = await openDelivery(t, { delivery, expected: [/status of 400/] })
    const act = async (name: string, what: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: what }).click()
    }
    await act('two', 'Edit')
    await page.getByRole('textbox', { name: 'Host' }).fill('not a host')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    const refused = mail(page).getByRole('listitem').filter({ hasText: 'host: ' }).locator('bdi')
    await expectTexts(refused, ['two'])
    await act('two', 'Move up')
    await mail(page).getByText('1. two').waitFor()
    await expectTexts(refused, ['two'])
    await act('three', 'Move up')
    await act('two', 'Remove')
    await mail(page).getByText('1. three').waitFor()
    await expectTexts(refused, [])
  })

  test('begins a custom text only once the text of the chosen message is read', async (t) => {
    const { page } = await openDelivery(t)
    await page.getByText('Your sign-in code for').waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route('**/delivery/preview', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByLabel('Message').selectOption('Password reset')
    await page.waitForURL(/kind=reset_password/)
    await expectDisabled(page.getByRole('button', { name: 'Write a custom text' }))
    answer.resolve()
    await page.getByRole('button', { name: 'Write a custom text' }).click()
    await expectValue(page.getByRole('textbox', { name: 'Subject' }), 'Your code to reset your {{ tenant }} password')
  })

  test('begins a custom text with the one that is sent, names its mistake, and shows it in both colour schemes', async (t) => {
    const { page, stored } = await openDelivery(t, { expected: [/status of 400/] })
    const frame = page.frameLocator('iframe')
    await frame.getByText('482913').waitFor()
    await page.getByRole('button', { name: 'Write a custom text' }).click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await expectSoon(async () => /\{\{ code \}\}[\s\S]*\{\{ minutes \}\} minutes/.test(await text.inputValue()), true)
    await text.fill('Your number: {{ code')
    await page.getByText('There is a mistake in the draft. The preview shows what it was before.').waitFor()
    await frame.getByText('482913').waitFor()
    await expectInvalid(text)
    await expectAccessible(page)
    await page.getByLabel('Channel').selectOption('SMS')
    await page.getByText('templates.otp_signin.email.en.text').waitFor()
    await page.getByLabel('Channel').selectOption('E-mail')
    await text.fill('Your number: {{ code }}')
    await frame.getByText('Your number: 482913').waitFor()
    const background = () => frame.locator('body.page').evaluate((page) => getComputedStyle(page).backgroundColor)
    await expectSoon(background, 'rgb(243, 244, 248)')
    await page.getByText('Dark', { exact: true }).click()
    await page.waitForFunction(() => document.querySelector('iframe')?.style.colorScheme === 'dark')
    await expectSoon(background, 'rgb(13, 15, 20)')
    await save(page)
    const { text: source } = (await stored()).templates!.otp_signin!.email!['en']!
    assert.equal(source, 'Your number: {{ code }}')
    await page.getByRole('button', { name: 'Use the built-in text' }).click()
    await save(page)
    assert.equal((await stored()).templates, undefined)
  })

  test('what a message contains does nothing but show', async (t) => {
    const html = `<h1>Code {{ code }}</h1><script>document.body.textContent = 'ran'; top.document.title = 'ran'</script>
      <img src="https://tracking.example/pixel.gif" onerror="document.body.textContent = 'ran'">`
    const templates = { otp_signin: { email: { en: { subject: 'Code', text: '{{ code }}', html } } } }
    // The frame's own policy reports what it blocks.
    const expected = [/tracking\.example|Content Security Policy/]
    const { page } = await openDelivery(t, { delivery: { templates }, expected })
    const loaded: string[] = []
    page.on('response', (response) => void loaded.push(response.url()))
    await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Code 482913' }).waitFor()
    assert.equal(
      await page
        .frames()
        .at(-1)!
        .evaluate(() => origin),
      'null',
    )
    await expectSoon(() => page.title(), 'Delivery · Test tenant · Tenantry')
    assert.deepEqual(
      loaded.filter((url) => url.includes('tracking')),
      [],
    )
  })

  test('a test message tells how each sender fared, on a phone too, and not of the message chosen next', async (t) => {
    const { page } = await openDelivery(t, {
      ...{
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark' as const,
        search: '?kind=reset_password&language=de',
      },
    })
    await page.getByText('“Password reset” by e-mail, in German').waitFor()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Send the test to this address' }).fill('me@example.com')
    await page.getByRole('button', { name: 'Send the test' }).click()
    const report = page.getByRole('status').getByRole('listitem')
    await report.filter({ hasText: 'first' }).getByText('Accepted').waitFor()
    await report.filter({ hasText: 'second' }).getByText('550 relaying denied').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Channel').selectOption('SMS')
    await page.getByText('“Password reset” by SMS').waitFor()
    await expectCount(report, 0)
  })

  test('a test that the server refuses names the refused value, also where it is not the address', async (t) => {
    const { page } = await openDelivery(t, { search: '?language=not_a_tag!', expected: [/status of 400/] })
    await page.getByRole('textbox', { name: 'Send the test to this address' }).fill('me@example.com')
    await page.getByRole('button', { name: 'Send the test' }).click()
    await page.getByRole('alert').getByRole('listitem').filter({ hasText: 'locale' }).waitFor()
  })

  test('message, channel and language are part of the address', async (t) => {
    const { page } = await openDelivery(t)
    await page.getByLabel('Message', { exact: true }).selectOption('Password reset')
    await page.getByLabel('Channel').selectOption('SMS')
    await page.getByRole('combobox', { name: 'Language' }).fill('fr')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?kind=reset_password&channel=sms&language=fr$/)
    await page.reload()
    await page.getByText('“Password reset” by SMS, in fr').waitFor()
  })
})
