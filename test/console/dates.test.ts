import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectInvalid, expectSearch, expectSoon, expectValue } from '../support/expect-soon.ts'

describe('dates', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  before(async () => {
    fixture = await startConsole()
    tenantId = (await fixture.service.addTenant()).tenantId
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  /** The browser says at the field what is missing. */
  const expectReported = (field: Locator) =>
    expectSoon(() => field.evaluate((input) => input.matches(':focus-within')), true)

  test('a key gets no other end than the one that was begun to be typed', async (t) => {
    const { admin } = fixture.service
    const ends = async () => {
      const { items } = await admin.listTenantKeys({ tenantId })
      return items.flatMap(({ name, expiresAt }) => (name === 'web app' ? [expiresAt] : []))
    }
    const page = await fixture.open(t, `/tenants/${tenantId}/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('web app')
    const field = page.getByLabel('Ends')
    const create = page.getByRole('button', { name: 'Create key' })
    await field.click()
    await page.keyboard.type('12312098')
    await create.click()
    await expectReported(field)
    await field.fill('12098-12-31T00:00')
    await create.click()
    await expectReported(field)
    assert.deepEqual(await ends(), [])
    await field.fill('2098-12-31T00:00')
    await create.click()
    await page.getByText('This is the only time the key is shown').waitFor()
    assert.deepEqual(await ends(), ['2098-12-31T00:00:00.000Z'])
  })

  test('a filter of the activity says that it is incomplete once it is left', async (t) => {
    const page = await fixture.open(t, `/tenants/${tenantId}/activity`)
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByLabel('Since').click()
    await page.keyboard.type('12312020')
    await page.getByLabel('By', { exact: true }).click()
    await page.getByText('Enter a date and a time').waitFor()
    await expectInvalid(page.getByLabel('Since'))
    await expectAccessible(page)
    await page.getByLabel('Since').fill('2020-12-31T00:00')
    await page.getByLabel('By', { exact: true }).click()
    await expectCount(page.getByText('Enter a date and a time'), 0)
    await expectSearch(page, `?since=${encodeURIComponent('2020-12-31T00:00:00.000Z')}`)
  })

  test('no profile is saved with half of a date, and none loses a time of a far year', async (t) => {
    const { admin } = fixture.service
    await admin.publishProfileSchema(
      { tenantId },
      {
        components: [
          { name: 'firstName', type: 'text', label: 'First name' },
          { name: 'born', type: 'date', label: 'Date of birth' },
          { name: 'visit', type: 'datetime', label: 'Next visit' },
        ],
      },
    )
    const { id: userId } = await admin.createUser(
      { tenantId },
      { email: 'ada@example.com', profile: { firstName: 'Ada' } },
    )
    const profile = () => admin.readUserProfile({ tenantId, userId })
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${userId}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('First name').fill('Grace')
    const born = page.getByLabel('Date of birth')
    await born.click()
    await page.keyboard.type('1209')
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await expectReported(born)
    assert.equal((await profile())['firstName'], 'Ada')
    await born.fill('1906-12-09')
    await page.getByText('In your time zone.', { exact: true }).waitFor()
    await page.getByLabel('Next visit').fill('12026-01-01T10:00')
    await expectValue(page.getByLabel('Next visit'), '12026-01-01T10:00')
    await page.getByLabel('Next visit').fill('2099-01-01T10:00')
    await save.click()
    await page.getByText('The profile is saved').waitFor()
    const { firstName, born: stored, visit } = await profile()
    assert.deepEqual([firstName, stored, visit], ['Grace', '1906-12-09', '2099-01-01T10:00:00.000Z'])
  })

  test('that are shown are in English, as numbers are, whatever the language of the browser', async (t) => {
    const page = await fixture.open(t, '/', { context: { locale: 'fa-IR' } })
    await page.getByText('in 30 days; 0 sent').waitFor()
    await page.getByRole('region', { name: 'Sign-ups a day' }).getByRole('button', { name: 'Show as a table' }).click()
    await page
      .getByRole('cell', { name: /^[A-Z][a-z]{2} \d{1,2}, 20\d\d$/ })
      .first()
      .waitFor()
    const digits = async () => (await page.getByRole('main').innerText()).match(/(?![0-9])\p{Nd}/gu)
    assert.equal(await digits(), null)
    await page.goto(`${fixture.service.adminUrl}/console/tenants/${tenantId}`)
    const created = page.locator('time').first()
    await created.waitFor()
    const onPaper = await created.getAttribute('data-on-paper')
    assert.match(onPaper!, /^[A-Z][a-z]{2} \d{1,2}, 20\d\d, \d{1,2}:\d\d\s[AP]M$/)
  })

  test('are days of UTC in charts where the browser does not know its time zone', async (t) => {
    const page = await fixture.open(t, '/tenants', { isNew: true })
    await page.addInitScript(() => {
      const { prototype } = Intl.DateTimeFormat
      const { resolvedOptions } = prototype
      prototype.resolvedOptions = function () {
        return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
      }
    })
    await page.goto(`${fixture.service.adminUrl}/console/`)
    await page.getByText('in 30 days; 0 sent').waitFor()
    await expectCount(page.getByRole('alert'), 0)
  })
})
