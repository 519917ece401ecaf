import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import {
  addTenantWithSchema,
  editedSchema,
  fieldRow,
  openDialog,
  openField,
  writeSchema,
} from '../support/browser/schema-editor.ts'
import { expectCount, expectDisabled, expectInvalid, expectSoon, expectValue } from '../support/expect-soon.ts'

const isSet = { field: 'ghost', set: true }

/** Has a problem of each kind of control. */
const faulty = {
  components: [
    {
      ...{ name: 'last', type: 'text', label: { default: 'Last name', fr: '' }, control: 'stars' },
      ...{ rules: { pattern: '(' }, messages: { pattern: '' }, claim: true, uniqueBy: 'exact' },
      visibleWhen: { all: [isSet, { field: 'set', is: 5 }] },
      requiredWhen: { field: 'set', in: [5] },
    },
    {
      ...{ name: 'kind', type: 'select', label: 'Account' },
      options: [{ value: 'a' }, { value: 'a', label: '', when: isSet }],
    },
    { name: 'Bad name', type: 'integer', label: 'Age', rules: { min: 3, max: 1 } },
    { name: 'set', type: 'text', label: 'Set by us', writable: false },
  ],
  presentation: [{ section: 'Bad name', title: 'About you', fields: ['ghost'] }],
  forms: {
    signUp: { fields: ['last', 'ghost', 'set'], required: ['set'], prompt: 'signIn' },
    later: {
      ...{ title: 'Later', prompt: 'signIn', promptAgainDays: 4000 },
      steps: [
        { step: 'one', title: '', fields: ['last'] },
        { step: 'one', verify: 'email', fields: ['set'], visibleWhen: isSet },
      ],
    },
  },
  migrations: [{ default: { field: 'ghost', value: 1 } }],
}

describe('Problems of a profile schema', { skip: withoutBrowser, concurrency: 2 }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('each is beside its control, and its link in the summary moves the focus there', async (t) => {
    const { path, tenantId } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `${path}?view=json`, { expected: [/status of 400/] })
    await writeSchema(page, faulty)
    await page.getByRole('button', { name: 'Check' }).click()
    const check = openDialog(page, 'Check')
    await check.getByText(/^The check found \d+ problems$/).waitFor()
    await expectAccessible(page)
    await check.getByRole('button', { name: 'Section About you: Name' }).click()
    await page.locator(':focus[data-control="section:Bad name.section"]').waitFor()
    await expectCount(check, 0)
    const problems = await fixture.service.admin.checkProfileSchema({ tenantId }, faulty as never).then(
      () => assert.fail('the schema should have been refused'),
      ({ validation }) => Object.values(validation as Record<string, string>),
    )
    const summary = page.getByRole('region', { name: 'Problems' })
    await summary.getByRole('button', { name: /^Show all/ }).click()
    const links = summary.getByRole('listitem')
    await expectCount(links, problems.length)
    for (const [index, message] of problems.entries()) {
      const title = await links.nth(index).getByRole('button').innerText()
      await links.nth(index).getByRole('button').click()
      // The control that has the focus is described by the message, or is a group of controls that has it as its text.
      await page
        .waitForFunction((text) => {
          const { activeElement: active } = document
          const described = [active, active?.closest('[data-control][role=group]')]
          const ids = described.flatMap((one) => one?.getAttribute('aria-describedby')?.split(' ') ?? [])
          const texts = [...ids.map((id) => document.getElementById(id)?.textContent), active?.textContent]
          const isHere = texts.some((one) => one?.includes(text))
          return isHere && active !== document.body && !active?.closest('section[aria-label=Problems]')
        }, message)
        .catch(() => assert.fail(`${title}: the focus is not at its control`))
    }
    await expectAccessible(page)
  })

  test('inputs with a problem are invalid, and closed rows say that they contain one', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, `${path}?view=json`, { expected: [/status of 400/] })
    await writeSchema(page, faulty)
    await page.getByRole('button', { name: 'Check' }).click()
    const check = openDialog(page, 'Check')
    await check.getByRole('button', { name: 'Last name: Pattern' }).click()
    const pattern = page.getByLabel('Pattern', { exact: true })
    await page.locator(':focus[data-control="field:last.rules.pattern"]').waitFor()
    await expectInvalid(pattern)
    await page.getByRole('tab', { name: 'Conditions 3 problems' }).waitFor()
    await expectAccessible(page)
    await fieldRow(page, 'kind').getByText('3 problems').waitFor()
    await page.getByRole('radiogroup', { name: 'View' }).getByText('Forms').click()
    await page
      .getByRole('button', { name: /^Later/ })
      .getByText(/^\d problems$/)
      .waitFor()
    await expectAccessible(page)
    // A name without problems: the check clears what was wrong before.
    await page.getByRole('radiogroup', { name: 'View' }).getByText('JSON').click()
    await writeSchema(page, { components: [{ name: 'kind', type: 'text' }] })
    await page.getByRole('button', { name: 'Check' }).click()
    // The report is announced, also when it only lists changes.
    await check.getByRole('status').getByText('What apps and users notice').waitFor()
    await expectAccessible(page)
    await check.getByRole('button', { name: 'Close' }).last().click()
    await expectCount(page.getByText('The check found'), 0)
  })

  test('Discard also takes back a name that could not be used', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    await openField(page, 'lastName')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('not a name')
    await page.getByLabel('Label', { exact: true }).fill('Family name')
    await expectInvalid(name)
    await page.getByRole('button', { name: 'Discard' }).click()
    await expectValue(name, 'lastName')
    await expectCount(page.getByText('Not published'), 0)
  })

  test('a name that cannot be used holds publishing back while its form is closed', async (t) => {
    const { path } = await addTenantWithSchema(fixture, { ...editedSchema, forms: { more: { fields: ['vat'] } } })
    const page = await fixture.open(t, `${path}?view=forms`)
    const publish = page.getByRole('button', { name: 'Publish…' })
    await page.getByRole('button', { name: /^more/ }).click()
    await page.getByLabel('Title', { exact: true }).fill('More')
    await expectSoon(() => publish.isEnabled(), true)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('not a name')
    await page.getByRole('button', { name: /^More/ }).click()
    await name.waitFor({ state: 'hidden' })
    await expectDisabled(publish)
    await page.getByRole('button', { name: /^More/ }).click()
    await expectValue(name, 'not a name')
    await page.getByRole('button', { name: 'Actions of form more' }).click()
    await page.getByRole('menuitem', { name: 'Remove the form' }).click()
    await expectSoon(() => publish.isEnabled(), true)
  })

  test('a value that cannot be used is that of one option, also where two have the same', async (t) => {
    const plan = { name: 'plan', type: 'select' as const, options: [{ value: 'free' }, { value: 'pro' }] }
    const { path } = await addTenantWithSchema(fixture, { components: [plan] })
    const page = await fixture.open(t, path)
    await openField(page, 'plan')
    await page.getByRole('tab', { name: 'Options' }).click()
    const value = page.getByLabel('Value', { exact: true })
    await value.last().fill('free')
    await value.last().press('Enter')
    await value.last().fill('')
    await expectValue(value.first(), 'free')
    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByRole('button', { name: 'A name cannot be used' }).click()
    await page.locator(':focus[data-control="field:plan.options.1.value"]').waitFor()
    await expectValue(value.last(), '')
    await expectValue(value.first(), 'free')
  })

  test('names that cannot be used are kept while other tabs, fields and views are shown', async (t) => {
    const { path } = await addTenantWithSchema(fixture, {
      components: [
        { name: 'lastName', type: 'text', label: 'Family name' },
        { name: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'pro' }] },
      ],
      forms: { more: { fields: ['plan'] } },
    })
    const page = await fixture.open(t, path)
    const tab = (name: string) => page.getByRole('tab', { name }).click()
    const view = (name: string) => page.getByRole('radiogroup', { name: 'View' }).getByText(name).click()
    const publish = page.getByRole('button', { name: 'Publish…' })
    const unusable = page.getByRole('button', { name: 'A name cannot be used' })
    await openField(page, 'lastName')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('last name')
    await tab('Rules')
    await expectCount(name, 0)
    await expectDisabled(publish)
    await tab('Field')
    await expectValue(name, 'last name')
    await openField(page, 'plan')
    await tab('Options')
    const value = page.getByLabel('Value', { exact: true })
    await value.last().fill('')
    await page.getByRole('button', { name: 'Actions of option pro' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await view('Forms')
    await page.getByRole('button', { name: /^more/ }).click()
    await name.fill('not a name')
    await view('JSON')
    await page.getByText('"lastName"').first().waitFor()
    await expectDisabled(publish)
    await expectAccessible(page)
    // The way to each, in the order of the draft, until the last one can be used.
    await unusable.click()
    await page.locator(':focus[data-control="field:lastName.name"]').waitFor()
    await expectValue(name, 'last name')
    await expectInvalid(name)
    await name.fill('surname')
    await unusable.click()
    await page.locator(':focus[data-control="field:plan.options.0.value"]').waitFor()
    await expectSoon(() => value.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)), ['', 'free'])
    await value.first().fill('pro')
    await unusable.click()
    await page.locator(':focus[data-control="form:more.name"]').waitFor()
    await expectValue(name, 'not a name')
    await name.fill('later')
    await page.getByText('Not published').waitFor()
    await expectSoon(() => publish.isEnabled(), true)
  })

  test('a name that cannot be used is not published without', async (t) => {
    const { path } = await addTenantWithSchema(fixture)
    const page = await fixture.open(t, path)
    const publish = page.getByRole('button', { name: 'Publish…' })
    await openField(page, 'lastName')
    await page.getByLabel('Label', { exact: true }).fill('Family name')
    await expectSoon(() => publish.isEnabled(), true)
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('family name')
    await page.getByText('A name cannot be used').waitFor()
    await expectDisabled(publish)
    await expectDisabled(page.getByRole('button', { name: 'Check', exact: true }))
    await name.fill('familyName')
    await page.getByText('Not published').waitFor()
    await expectSoon(() => publish.isEnabled(), true)
  })
})
