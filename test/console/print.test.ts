import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { contrastOf, styleOf } from '../support/browser/contrast.ts'
import { expectCount, expectSoon } from '../support/expect-soon.ts'
import { addPerson } from '../support/person.ts'
import type { TestTenant } from '../support/service.ts'

describe('a screen on paper', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenant: TestTenant
  let tenantId: string
  before(async () => {
    fixture = await startConsole()
    tenant = await fixture.service.addTenant()
    tenantId = tenant.tenantId
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('is dark on white, without what stays around a screen', async (t) => {
    const page = await fixture.open(t, '/tenants', { context: { colorScheme: 'dark' }, colorScheme: 'dark' })
    const heading = page.getByRole('heading', { level: 1, name: 'Tenants' })
    const color = () => heading.evaluate((element) => getComputedStyle(element).color)
    await heading.waitFor()
    await expectSoon(color, 'rgb(227, 231, 234)')
    await page.emulateMedia({ media: 'print' })
    await expectSoon(color, 'rgb(20, 25, 30)')
    const search = page.getByRole('searchbox')
    assert.equal(await search.evaluate((field) => getComputedStyle(field).backgroundColor), 'rgb(255, 255, 255)')
    for (const around of ['.skip-link', 'header', 'nav'])
      await page.locator(around).first().waitFor({ state: 'hidden' })
    const main = await page.getByRole('main').boundingBox()
    assert.deepEqual([main?.x, main?.y], [0, 0])
    const time = page.getByRole('main').locator('time').first()
    const after = await time.evaluate((element) => getComputedStyle(element, '::after').content)
    assert.match(after, /^"\w{3} \d+, \d{4}, \d+:\d\d\s[AP]M"$/)
    await expectCount(time.getByText(/./).filter({ visible: true }), 0)
  })

  test('has times as large as the text around them', async (t) => {
    const person = await addPerson(fixture.service, tenant)
    await person.client()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/${person.userId}`)
    await page.getByRole('heading', { level: 2, name: 'Sessions' }).waitFor()
    const times = page.getByRole('main').locator('time')
    const sizes = (pseudo: string | null) =>
      times.evaluateAll((all, which) => all.map((one) => getComputedStyle(one, which).fontSize), pseudo)
    await expectSoon(async () => new Set(await sizes(null)).size > 1, true)
    const onScreen = await sizes(null)
    await page.emulateMedia({ media: 'print' })
    assert.deepEqual(await sizes('::after'), onScreen)
  })

  test('is readable where it was dark: views that are not chosen', async (t) => {
    const dark = { colorScheme: 'dark', context: { colorScheme: 'dark' } } as const
    const page = await fixture.open(t, `/tenants/${tenantId}/profile-schema`, dark)
    const view = page.getByRole('radiogroup', { name: 'View' }).getByText('Versions')
    await view.waitFor()
    await page.emulateMedia({ media: 'print' })
    const contrast = contrastOf(await styleOf(view, 'color'), 'rgb(240, 242, 244)')
    assert.ok(contrast >= 4.5, `${contrast}`)
  })
})
