import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ProfileSchemaInput } from '../../packages/client/src/admin.ts'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectSearch, expectSoon, expectTexts, expectValue } from '../support/expect-soon.ts'

const schema: ProfileSchemaInput = {
  version: '2',
  components: [
    { name: 'city', type: 'text', label: { default: 'City' }, searchable: true },
    { name: 'age', type: 'integer', label: { default: 'Age' }, searchable: true },
    { name: 'country', type: 'country', label: { default: 'Country' }, searchable: true },
    {
      name: 'plan',
      type: 'select',
      label: { default: 'Plan' },
      searchable: true,
      visibleWhen: { field: 'age', min: 18 },
      options: [
        { value: 'free', label: { default: 'Free of charge' } },
        { value: 'pro', label: { default: 'Professional' }, when: { field: 'age', min: 18 } },
      ],
    },
    { name: 'born', type: 'date', label: { default: 'Born on' }, searchable: true },
    { name: 'note', type: 'text', label: { default: 'Note' } },
  ],
}

const people = {
  ada: { city: 'Paris', age: 36, country: 'FR', plan: 'pro', born: '1990-12-10' },
  bob: { city: 'Pau', age: 17, country: 'FR', born: '2009-01-31' },
  cem: { city: 'Ankara', age: 52, country: 'TR', plan: 'free', born: '1974-05-01' },
}

describe('Users by profile field', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  let tenantId: string
  let path: string
  before(async () => {
    fixture = await startConsole()
    ;({ tenantId } = await fixture.service.addTenant())
    path = `/tenants/${tenantId}/users`
    await fixture.service.admin.publishProfileSchema({ tenantId }, schema)
    for (const [name, profile] of Object.entries(people)) {
      fixture.service.clock.advance(1)
      await fixture.service.admin.createUser({ tenantId }, { email: `${name}@example.com`, profile })
    }
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  const users = (page: Page) => page.getByRole('table', { name: 'Users' }).locator('tbody tr a.row-link')
  const conditions = (page: Page) => page.getByRole('group', { name: 'Profile fields' }).locator('bdi')
  const addCondition = (page: Page) => page.getByRole('button', { name: 'Profile field' })

  /** Opens the dialog and chooses the field. */
  async function choose(page: Page, field: string) {
    await addCondition(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Field' }).click()
    await page.getByRole('option', { name: field, exact: true }).click()
    return { dialog, find: () => dialog.getByRole('button', { name: 'Find users' }).click() }
  }

  test('finds users by a beginning, a range and a choice, which a link keeps', async (t) => {
    const page = await fixture.open(t, path)
    await expectTexts(users(page), ['cem@example.com', 'bob@example.com', 'ada@example.com'])
    const city = await choose(page, 'City')
    const value = city.dialog.getByRole('textbox', { name: 'Value' })
    await value.click()
    // As much as the server compares: it goes into the URL.
    await page.keyboard.insertText('p'.repeat(20_000))
    await expectValue(value, 'p'.repeat(256))
    await value.fill('pA')
    await expectAccessible(page)
    await city.find()
    await expectTexts(users(page), ['ada@example.com', 'bob@example.com'])
    await expectCount(page.getByText('Newest first'), 0)
    const age = await choose(page, 'Age')
    await age.dialog.getByLabel('From').fill('18')
    await age.find()
    await expectTexts(users(page), ['ada@example.com'])
    const plan = await choose(page, 'Plan')
    await plan.dialog.getByRole('combobox', { name: 'Value' }).click()
    await page.getByRole('option', { name: 'Professional' }).click()
    await plan.find()
    await expectTexts(conditions(page), ['City begins with “pA”', 'Age from 18', 'Plan is Professional'])
    await page.getByText('No more than 3 can be combined').waitFor()
    await expectAccessible(page)
    await expectSearch(page, '?profile.city.prefix=pA&profile.age.min=18&profile.plan=pro')
    await page.reload()
    await expectTexts(users(page), ['ada@example.com'])
    await page.getByRole('button', { name: 'Remove: City begins with “pA”' }).click()
    await expectTexts(conditions(page), ['Age from 18', 'Plan is Professional'])
    await page.getByRole('button', { name: 'Remove: Plan is Professional' }).press('Enter')
    await expectTexts(users(page), ['ada@example.com', 'cem@example.com'])
    await expectSoon(() => addCondition(page).evaluate((button) => button === document.activeElement), true)
  })

  test('a fourth field cannot be added, and one that has a condition gets another', async (t) => {
    const page = await fixture.open(t, `${path}?profile.country=fr&profile.age.max=40&profile.city=paris`)
    await expectTexts(conditions(page), ['Country is France', 'Age up to 40', 'City is paris'])
    await addCondition(page).click()
    await page.getByRole('combobox', { name: 'Field' }).click()
    await expectTexts(page.getByRole('listbox', { name: 'Field' }).getByRole('option'), ['City', 'Age', 'Country'])
    await page.getByRole('option', { name: 'City' }).click()
    await page.getByRole('combobox', { name: 'Compare' }).selectOption('Is exactly')
    await page.getByRole('textbox', { name: 'Value' }).fill('Pau')
    await page.getByRole('button', { name: 'Find users' }).click()
    await expectTexts(conditions(page), ['Country is France', 'Age up to 40', 'City is Pau'])
    await expectTexts(users(page), ['bob@example.com'])
  })

  test('a search by address replaces conditions, which come back with Back', async (t) => {
    const page = await fixture.open(t, `${path}?profile.born.min=2000-01-01`)
    await expectTexts(users(page), ['bob@example.com'])
    await page.getByRole('searchbox').fill('ada')
    await expectTexts(users(page), ['ada@example.com'])
    await expectCount(conditions(page), 0)
    await page.goBack()
    await expectTexts(conditions(page), ['Born on from 2000-01-01'])
    await expectTexts(users(page), ['bob@example.com'])
  })

  test('keeps conditions with a state, and says when no user has the values', async (t) => {
    const page = await fixture.open(t, `${path}?profile.country=FR`)
    await expectCount(users(page), 2)
    await page.getByLabel('State').selectOption('suspended')
    await page.getByText('No user has these values').waitFor()
    await expectTexts(conditions(page), ['Country is France'])
    await page.getByRole('button', { name: 'Show all users' }).click()
    await expectCount(users(page), 3)
  })

  test('shows a refused condition, which can be removed', async (t) => {
    const page = await fixture.open(t, `${path}?profile.note=x`, { expected: [/status of 400/] })
    await page.getByRole('alert').getByText('Not searchable').waitFor()
    await page.getByRole('button', { name: 'Remove: note is x' }).click()
    await expectCount(users(page), 3)
  })

  test('is offered to operators who may read profiles, of tenants with searchable fields', async (t) => {
    const { key } = await fixture.service.admin.createOperator({ name: 'Support', scopes: ['users:read'] })
    const page = await fixture.open(t, path, { key })
    await expectCount(users(page), 3)
    await page.waitForLoadState('networkidle')
    await expectCount(addCondition(page), 0)
    const { tenantId } = await fixture.service.addTenant()
    const other = await fixture.open(t, `/tenants/${tenantId}/users`)
    await other.getByText('No users yet').waitFor()
    await other.waitForLoadState('networkidle')
    await expectCount(addCondition(other), 0)
  })
})
