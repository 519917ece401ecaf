import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { field, message, ofProfile, type ProfilePages, save, startProfilePages } from './profile-form.testkit.ts'

const business = { field: 'kind', is: 'business' }
const schema: ProfileSchemaInput = {
  components: [
    { name: 'name', type: 'text' },
    { name: 'kind', type: 'select', options: [{ value: 'person' }, { value: 'business' }] },
    {
      name: 'vat',
      type: 'text',
      visibleWhen: business,
      requiredWhen: business,
      rules: { pattern: '^[A-Z]{2}[0-9]+$' },
    },
    { name: 'country', type: 'country' },
    { name: 'closed', type: 'text', lockedWhen: { field: 'country', is: 'FR' } },
  ],
  forms: {
    welcome: {
      steps: [
        { step: 'who', fields: ['name', 'kind'], required: ['name', 'kind'] },
        { step: 'firm', fields: ['vat'], required: ['vat'], visibleWhen: business },
        { step: 'where', fields: ['country'], required: ['country'] },
      ],
    },
  },
}

describe('conditions and steps in a browser', { skip: withoutBrowser }, () => {
  let pages: ProfilePages
  before(async () => {
    pages = await startProfilePages()
  })
  after(() => pages?.close())

  const saved = (page: Page) => page.waitForSelector('label[data-changed=true]', { state: 'detached' })
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  /** The names of all steps; the current one in brackets, those that are complete with a check mark. */
  const stepsOf = (page: Page) =>
    page.locator('li').evaluateAll((all) =>
      all
        .map(({ textContent, dataset, ariaCurrent }) => {
          const text = `${textContent}${dataset['complete'] === 'true' ? ' ✓' : ''}`
          return ariaCurrent === 'step' ? `[${text}]` : text
        })
        .join(', '),
    )
  const opens = (page: Page, step: string) => page.locator('li[aria-current=step]').getByText(step).waitFor()

  test('shows a field while its condition holds, and requires it', async (t) => {
    const { page, requests } = await pages.open(await pages.arrange(t, schema), { validates: true })
    const vat = field(page, 'vat')
    assert.equal(await vat.count(), 0)
    await field(page, 'kind').fill('business')
    await vat.waitFor()
    assert.equal(await page.locator('label[data-required=true]').textContent(), 'vat')
    await save(page)
    await message(page, 'vat').filter({ hasText: 'Validation rule not met' }).waitFor()
    assert.deepEqual(ofProfile(requests), [])
    await field(page, 'kind').fill('person')
    await vat.waitFor({ state: 'detached' })
    await save(page)
    await saved(page)
    assert.deepEqual(ofProfile(requests), ['PATCH /account/profile {"kind":"person"}'])
  })

  test('keeps what was entered in a hidden field, and does not send it', async (t) => {
    const { page, requests } = await pages.open(await pages.arrange(t, schema), { validates: true })
    await field(page, 'kind').fill('business')
    await field(page, 'vat').fill('FR1')
    await field(page, 'kind').fill('person')
    await field(page, 'vat').waitFor({ state: 'detached' })
    await field(page, 'kind').fill('business')
    assert.equal(await field(page, 'vat').inputValue(), 'FR1')
    await field(page, 'kind').fill('person')
    await save(page)
    await saved(page)
    assert.deepEqual(ofProfile(requests), ['PATCH /account/profile {"kind":"person"}'])
  })

  test('hides the stored value that the service clears with the save', async (t) => {
    const arranged = await pages.arrange(t, schema)
    await arranged.client.updateProfile({ kind: 'business', vat: 'FR1' })
    const { page } = await pages.open(arranged, { validates: true })
    await field(page, 'kind').fill('person')
    await field(page, 'vat').waitFor({ state: 'detached' })
    await save(page)
    await saved(page)
    await field(page, 'kind').fill('business')
    assert.equal(await field(page, 'vat').inputValue(), '')
    assert.equal((await arranged.client.getProfile())['vat'], null)
  })

  test('locks a field once the saved profile meets its condition', async (t) => {
    const { page } = await pages.open(await pages.arrange(t, schema), { validates: true })
    await field(page, 'country').fill('FR')
    assert.equal(await field(page, 'closed').isDisabled(), false)
    await save(page)
    await saved(page)
    assert.equal(await field(page, 'closed').isDisabled(), true)
  })

  test('saves a form step by step, and goes back', async (t) => {
    const { page, requests, errors } = await pages.open(await pages.arrange(t, schema), {
      ...{ form: 'welcome', validates: true },
    })
    assert.equal(await stepsOf(page), '[who], where')
    await press(page, 'Next')
    await message(page, 'name').filter({ hasText: 'Required' }).waitFor()
    await field(page, 'name').fill('Ada')
    await field(page, 'kind').fill('business')
    await page.getByText('firm', { exact: true }).waitFor()
    assert.equal(await stepsOf(page), '[who], firm, where')
    await press(page, 'Next')
    await opens(page, 'firm')
    assert.equal(await stepsOf(page), 'who ✓, [firm], where')
    await field(page, 'vat').fill('FR1')
    await press(page, 'Back')
    await opens(page, 'who')
    assert.equal(await field(page, 'name').inputValue(), 'Ada')
    await press(page, 'Next')
    await opens(page, 'firm')
    assert.equal(await field(page, 'vat').inputValue(), 'FR1')
    await press(page, 'Next')
    await opens(page, 'where')
    await field(page, 'country').fill('FR')
    await press(page, 'Next')
    await page.getByText('where').and(page.locator('[data-complete=true]')).waitFor()
    assert.deepEqual(ofProfile(requests), [
      'PATCH /account/profile?form=welcome&step=who {"name":"Ada","kind":"business"}',
      'PATCH /account/profile?form=welcome&step=firm {"vat":"FR1"}',
      'PATCH /account/profile?form=welcome&step=where {"country":"FR"}',
    ])
    assert.deepEqual(errors, [])
  })

  test('opens the first step that is not complete after a reload', async (t) => {
    const arranged = await pages.arrange(t, schema)
    await arranged.client.updateProfile({ name: 'Ada', kind: 'person' })
    const { page } = await pages.open(arranged, { form: 'welcome', validates: true })
    assert.equal(await stepsOf(page), 'who ✓, [where]')
  })

  test('asks the service about a step that depends on a value which the user cannot read', async (t) => {
    const taxed = { field: 'taxId', set: true }
    const arranged = await pages.arrange(t, {
      components: [
        { name: 'taxId', type: 'text', readable: false },
        { name: 'since', type: 'date', visibleWhen: taxed },
      ],
      forms: {
        tax: {
          steps: [
            { step: 'number', fields: ['taxId'], required: ['taxId'] },
            { step: 'since', fields: ['since'], required: ['since'], visibleWhen: taxed },
          ],
        },
      },
    })
    const state = async () => (await arranged.client.getFormState({ form: 'tax' })).steps.map(({ step }) => step)
    const { page } = await pages.open(arranged, { form: 'tax', validates: true })
    await press(page, 'Next')
    await message(page, 'taxId').filter({ hasText: 'Required' }).waitFor()
    await arranged.client.updateProfile({ taxId: '7' })
    assert.deepEqual(await state(), ['number', 'since'])
    const again = await pages.open(arranged, { form: 'tax', validates: true })
    assert.equal(await stepsOf(again.page), '[number ✓], since ✓')
    await press(again.page, 'Next')
    await opens(again.page, 'since')
    await press(again.page, 'Next')
    await message(again.page, 'since').filter({ hasText: 'Required' }).waitFor()
    await field(again.page, 'since').fill('2026-01-01')
    await save(again.page)
    await saved(again.page)
    assert.deepEqual(ofProfile(again.requests), [
      'PATCH /account/profile?form=tax&step=number {}',
      'PATCH /account/profile?form=tax&step=since {}',
      'PATCH /account/profile?form=tax&step=since {"since":"2026-01-01"}',
    ])
    assert.equal((await arranged.client.getFormState({ form: 'tax' })).complete, true)
  })
})
