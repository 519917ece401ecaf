import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import {
  field,
  message,
  ofProfile,
  type ProfilePages,
  reaches,
  save,
  startProfilePages,
} from './profile-form.testkit.ts'

const components = [
  { name: 'firstName', type: 'text', label: { default: 'First name', fr: 'Prénom' } },
  { name: 'age', type: 'integer', label: 'Age', rules: { min: 0, max: 150 } },
  { name: 'code', type: 'text', rules: { pattern: '^[A-Z]{2}$' } },
  { name: 'level', type: 'integer', writable: false },
] as const
const presentation = [
  { section: 'about', title: { default: 'About you', fr: 'À propos' }, fields: ['firstName', 'age'] },
]
const forms = { start: { title: 'Start', fields: ['code', 'firstName'], required: ['code'] } }

describe('a profile form in a browser', { skip: withoutBrowser }, () => {
  let pages: ProfilePages
  before(async () => {
    pages = await startProfilePages()
  })
  after(() => pages?.close())

  /** A tenant with the schema and a user, and a browser profile with nothing stored. */
  async function arrange(t: TestContext) {
    const schemaOf = (version: string, more: object[] = []) => ({
      ...{ version, presentation, forms },
      components: [...components, ...more] as never,
    })
    const arranged = await pages.arrange(t, schemaOf('v1'))
    const publish = (version: string, more?: object[]) => arranged.publish(schemaOf(version, more))
    return { ...arranged, publish }
  }
  const open: ProfilePages['open'] = (...args) => pages.open(...args)
  const ofConfiguration = (requests: readonly string[]) =>
    requests.filter((line) => line.includes('/tenant-configuration'))

  test('requests configuration and profile once, in StrictMode and for two components', async (t) => {
    const { requests, errors, page } = await open(await arrange(t))
    const reads = requests.filter((line) => line.startsWith('GET'))
    assert.deepEqual(reads.toSorted(), ['GET /account/profile', 'GET /tenant-configuration'])
    assert.equal(await page.textContent('#version'), 'v1')
    assert.deepEqual(errors, [])
  })

  test('requests a stored schema by its version, and replaces it by a newer one', async (t) => {
    const arranged = await arrange(t)
    const first = await open(arranged)
    assert.deepEqual(first.schemas, ['v1'])

    const second = await open(arranged)
    assert.deepEqual(ofConfiguration(second.requests), ['GET /tenant-configuration?schemaVersion=v1&schemaDelta=true'])
    assert.deepEqual(second.schemas, ['none'])
    assert.equal(await field(second.page, 'age').count(), 1)

    await arranged.publish('v2', [{ name: 'city', type: 'text' }])
    const third = await open(arranged)
    assert.deepEqual(ofConfiguration(third.requests), ['GET /tenant-configuration?schemaVersion=v1&schemaDelta=true'])
    assert.deepEqual(third.schemas, ['v1 to v2'])
    assert.equal(await third.page.textContent('#version'), 'v2')
    const fourth = await open(arranged)
    assert.deepEqual(ofConfiguration(fourth.requests), ['GET /tenant-configuration?schemaVersion=v2&schemaDelta=true'])
    assert.deepEqual(fourth.schemas, ['none'])
    assert.equal(await fourth.page.textContent('#version'), 'v2')
  })

  test('requests the whole schema if what is stored is damaged', async (t) => {
    const arranged = await arrange(t)
    await open(arranged)
    for (const damage of ['{', '{"version":"v1","components":[],"presentation":[],"forms":null}']) {
      const page = await arranged.context.newPage()
      await page.goto(pages.site.origin)
      await page.evaluate((text) => {
        const key = Object.keys(localStorage).find((name) => name.endsWith('.profileSchema'))
        localStorage.setItem(key!, text)
      }, damage)
      const { requests, schemas } = await open(arranged)
      assert.deepEqual(ofConfiguration(requests), ['GET /tenant-configuration'], damage)
      assert.deepEqual(schemas, ['v1'])
    }
  })

  test('sends the changed fields only, and null for a cleared one', async (t) => {
    const arranged = await arrange(t)
    await arranged.client.updateProfile({ firstName: 'Ada', age: 36 })
    const { page, requests } = await open(arranged)
    await save(page)
    await field(page, 'age').fill('37')
    assert.equal(await page.locator('label[data-changed=true]').count(), 1)
    await field(page, 'firstName').fill('Bob')
    await field(page, 'firstName').fill('Ada')
    await save(page)
    await page.waitForSelector('label[data-changed=true]', { state: 'detached' })
    assert.deepEqual(ofProfile(requests), ['PATCH /account/profile {"age":37}'])

    await field(page, 'firstName').fill('')
    await save(page)
    await page.waitForSelector('label[data-changed=true]', { state: 'detached' })
    assert.deepEqual(ofProfile(requests).slice(1), ['PATCH /account/profile {"firstName":null}'])
    const profile = await arranged.client.getProfile()
    assert.deepEqual([profile['firstName'], profile['age']], [null, 37])
    assert.equal(await page.title(), `Site${`saved ${profile.id};`.repeat(2)}`)
  })

  test('sends one request when the form is submitted twice', async (t) => {
    const { page, requests } = await open(await arrange(t))
    await field(page, 'age').fill('7')
    await page.evaluate(() => {
      for (let count = 0; count < 2; count++) document.forms[0]!.requestSubmit()
    })
    await page.waitForSelector('label[data-changed=true]', { state: 'detached' })
    assert.equal(ofProfile(requests).length, 1)
  })

  test("shows the service's messages at their fields and keeps what was entered", async (t) => {
    const { page, requests } = await open(await arrange(t))
    await field(page, 'age').fill('1.5')
    await field(page, 'firstName').fill('Ada')
    await save(page)
    await message(page, 'age').filter({ hasText: 'Expected integer, received float' }).waitFor()
    assert.equal(await field(page, 'age').inputValue(), '1.5')
    assert.equal(await message(page, 'firstName').textContent(), '')
    assert.equal(await page.textContent('output'), '')
    assert.equal(ofProfile(requests).length, 1)

    await field(page, 'age').fill('36')
    assert.equal(await message(page, 'age').textContent(), '')
    await save(page)
    await page.waitForSelector('label[data-changed=true]', { state: 'detached' })
    assert.deepEqual(ofProfile(requests).slice(1), ['PATCH /account/profile {"firstName":"Ada","age":36}'])
  })

  test('keeps what was entered when the service cannot be reached, and saves it with the next try', async (t) => {
    const arranged = await arrange(t)
    const { page } = await open(arranged)
    await page.route('**/account/profile', (route) => route.abort('connectionrefused'))
    await field(page, 'firstName').fill('Ada')
    await save(page)
    await reaches(page, 'failed')
    assert.equal(await page.textContent('output'), 'TenantryConnectionError')
    assert.equal(await field(page, 'firstName').inputValue(), 'Ada')

    await page.unroute('**/account/profile')
    await save(page)
    await reaches(page, 'ready')
    await page.waitForSelector('label[data-changed=true]', { state: 'detached' })
    assert.equal(await page.textContent('output'), '')
    assert.equal((await arranged.client.getProfile())['firstName'], 'Ada')
  })

  test('finds invalid values before they are sent with validateProfile, and missing ones of a form', async (t) => {
    const { page, requests } = await open(await arrange(t), { form: 'start', validates: true })
    assert.deepEqual(await page.locator('input').evaluateAll((all) => all.map((one) => one.getAttribute('name'))), [
      ...['code', 'firstName'],
    ])
    assert.equal(await page.locator('label[data-required=true]').count(), 1)
    await save(page)
    await message(page, 'code').filter({ hasText: 'Required' }).waitFor()
    await field(page, 'code').fill('abc')
    await save(page)
    await message(page, 'code').filter({ hasText: 'Validation rule not met' }).waitFor()
    assert.deepEqual(ofProfile(requests), [])
    await field(page, 'code').fill('AB')
    await save(page)
    await page.waitForSelector('label[data-changed=true]', { state: 'detached' })
    assert.deepEqual(ofProfile(requests), ['PATCH /account/profile {"code":"AB"}'])
  })

  test('fails for a form that the schema lacks, until a newer one has it', async (t) => {
    const schema = { components: [...components], presentation }
    const arranged = await pages.arrange(t, { ...schema, version: 'v1', forms })
    const { page } = await open(arranged, { form: 'later' }, 'failed')
    assert.deepEqual([await page.textContent('output'), await page.locator('input').count()], ['Error', 0])
    await arranged.publish({ ...schema, version: 'v2', forms: { ...forms, later: { fields: ['firstName'] } } })
    await page.click('#version')
    await reaches(page, 'ready')
    assert.deepEqual([await page.textContent('output'), await page.locator('input').count()], ['', 1])
  })

  test('shows labels and sections in the language of the form', async (t) => {
    const arranged = await arrange(t)
    const { page } = await open(arranged, { locale: 'fr-CA' })
    assert.deepEqual(await page.locator('label span').allTextContents(), ['Prénom', 'Age'])
    assert.equal(await page.textContent('legend'), 'À propos')
    const english = await open(arranged, { locale: 'de' })
    assert.deepEqual(await english.page.locator('label span').allTextContents(), ['First name', 'Age'])
    assert.equal(await english.page.textContent('legend'), 'About you')
  })
})
