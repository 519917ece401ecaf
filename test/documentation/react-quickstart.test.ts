import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { launchBrowser, serveSite, withoutBrowser } from '../support/browser/browser.ts'
import { startPageServer } from '../support/documentation/page-server.ts'
import { bundleGuideApp, writeGuideApp } from '../support/documentation/react-guide.ts'
import { until } from '../support/until.ts'

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

let folder: string
let files: string[]
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-react-'))
  files = await writeGuideApp(folder)
})
after(() => rm(folder, { recursive: true }))

test('the files of docs/guides/quickstart-react.md compile with the settings of Vite and the stricter ones of `tsc --init`', async () => {
  assert.deepEqual(
    files.map((file) => file.replace('src/', '')),
    [
      'session.ts',
      'main.tsx',
      'App.tsx',
      'SignIn.tsx',
      'VerifyEmail.tsx',
      'Account.tsx',
      'Field.tsx',
      'Input.tsx',
      'Welcome.tsx',
    ],
  )
  const stricter = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const output: string = await promisify(execFile)(process.execPath, [compiler, '-p', '.', ...stricter], {
    cwd: folder,
  }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => stdout + stderr,
  )
  // `npm run types` checks the client's sources, with newer libraries. An app sees its declarations only.
  const isOfClient = /^\S*(?:contract|packages\/client\/src)\//
  assert.deepEqual(
    output.split(/\n(?=\S)/).filter((problem) => problem !== '' && !isOfClient.test(problem)),
    [],
  )
})

test('the app of docs/guides/quickstart-react.md does what its section 9 says', { skip: withoutBrowser }, async (t) => {
  await using service = await startPageServer()
  const { baseUrl, output } = service.server
  const [, key = ''] = /tenant key\s+(\S+)/.exec(output()) ?? []
  await using site = await serveSite({ '/main.js': await bundleGuideApp(folder, baseUrl, key) })
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const context = await browser.newContext()
  const errors: string[] = []

  /** Opens the app as Vite's index.html does. */
  async function open() {
    const page = await context.newPage()
    page.on('pageerror', (error) => errors.push(error.message))
    const show = async () => {
      await page.goto(site.origin)
      await page.evaluate(async () => {
        document.body.innerHTML = '<div id="root"></div>'
        await import('/main.js' as string)
      })
    }
    await show()
    return { page, reload: show }
  }

  const { page, reload } = await open()
  await page.fill('[name=email]', 'grace@example.com')
  await page.fill('[name=password]', 'a long first one')
  await page.click('text=Sign up')
  await page.fill('[name="fullName.given"]', 'Grace')
  await page.click('text="Next"')
  assert.match((await page.textContent('strong')) ?? '', /Validation rule not met/)
  await page.fill('[name="fullName.family"]', 'Hopper')
  await page.click('text="Next"')
  await page.selectOption('[name=accountKind]', 'business')
  await page.waitForSelector('[name=vatId]')
  await page.selectOption('[name=accountKind]', 'person')
  await page.waitForSelector('[name=vatId]', { state: 'detached' })
  await page.click('text="Next"')
  // During the save, Back would open the step before this one.
  await page.waitForSelector('text=Verify your e-mail address')
  await page.click('text="Back"')
  assert.equal(await page.inputValue('[name=accountKind]'), 'person')
  await page.click('text="Next"')
  await page.click('text=Verify your e-mail address')
  const codes = () => [...output().matchAll(/^Code for grace@example\.com to verify the e-mail address: (\d+)$/gm)]
  await until(() => codes().length === 1)
  await page.click('text="Send it again"')
  await page.waitForSelector('text=The resend interval has not elapsed.')
  await page.click('text="Send a new code"')
  await until(() => codes().length === 2)
  await page.fill('[name=code]', codes()[1]![1]!)
  await page.click('text="Verify"')
  await page.waitForSelector('[name=code]', { state: 'detached' })

  await page.fill('[name=firstName]', 'Grace')
  await page.fill('[name=nickname]', 'x')
  await page.click('text=Save')
  assert.match((await page.textContent('strong')) ?? '', /must contain at least 2/)
  await page.fill('[name=nickname]', 'a!')
  await page.click('text=Save')
  assert.equal((await page.textContent('strong'))?.trim(), 'Use letters, digits and _.')
  await page.fill('[name=nickname]', 'grace_1')
  await page.selectOption('[name=interests]', ['music', 'travel'])
  await page.fill('[name=tags]', 'one\ntwo')
  await page.fill('[name=height]', '1.7')
  await page.selectOption('[name=country]', { label: 'France' })
  await page.selectOption('[name=timezone]', 'Europe/Paris')
  await page.fill('[name="address.line1"]', '1 rue de la Paix')
  await page.fill('[name="address.city"]', 'Paris')
  await page.fill('[name="address.country"]', 'FR')
  await page.check('[name=research]')
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.click('text=Save')
  assert.equal((await saved).status(), 200)

  const second = await open()
  await reload()
  assert.equal(await page.inputValue('[name=nickname]'), 'grace_1')
  assert.equal(await page.inputValue('[name=tags]'), 'one\ntwo')
  assert.equal(await page.inputValue('[name=country]'), 'FR')
  assert.equal(await page.inputValue('[name="address.city"]'), 'Paris')
  assert.equal(await page.isChecked('[name=research]'), true)
  await second.page.waitForSelector('[name=nickname]')

  await page.fill('[name=nickname]', 'grace_2')
  const credentials = { email: 'grace@example.com', password: 'a long first one' }
  const elsewhere = createTenantryClient({ baseUrl, tenantKey: key })
  const { accessToken } = await elsewhere.signIn({ method: 'password', ...credentials })
  await elsewhere.signOut({ scope: 'all' }, { accessToken })
  await page.click('text=Save')
  await page.waitForSelector('text=Your session has ended. Sign in again.')
  await page.fill('[name=email][autocomplete]', credentials.email)
  await page.fill('[name=password]', credentials.password)
  await page.click('text="Sign in" >> nth=-1')
  await page.waitForSelector('text=Sign out')
  assert.equal(await page.inputValue('[name=nickname]'), 'grace_2')
  const savedThen = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await page.click('text=Save')
  assert.equal((await savedThen).status(), 200)
  assert.equal(await page.isVisible('[role=alert]'), false)

  await second.page.waitForSelector('[name=nickname]')
  await page.click('text=Sign out')
  await second.page.waitForSelector('[name=password]')
  await second.page.fill('[name=email]', 'grace@example.com')
  await second.page.fill('[name=password]', 'a wrong one')
  await second.page.click('text="Sign in" >> nth=-1')
  assert.match((await second.page.textContent('[role=alert]')) ?? '', /The e-mail address or the password is wrong/)
  assert.deepEqual(errors, [])
})
