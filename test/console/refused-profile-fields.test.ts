import { after, before, describe, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { expectFits } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { addTenantWithSchema } from '../support/browser/schema-editor.ts'
import { expectInView, expectSoon } from '../support/expect-soon.ts'

const label = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const others = Array.from({ length: 12 }, (_, index) => ({ name: `other${index}`, type: 'text' }))
const options = [{ value: 'free' }, { value: 'pro' }]

/** What a screen reader says after the name of a field, or of the group that it is in. */
function descriptionOf(field: Element): string | null | undefined {
  const ids = field.closest('[aria-describedby]')?.getAttribute('aria-describedby')?.split(' ')
  return document.getElementById(ids?.at(-1) ?? '')?.textContent
}

describe('a profile is refused because of', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  for (const [control, role, component] of [
    ['a slider', 'slider', { type: 'integer', control: 'range', rules: { min: 0, max: 10 } }],
    ['stars', 'radio', { type: 'integer', control: 'stars', rules: { min: 1, max: 5 } }],
    ['an address', 'textbox', { type: 'address' }],
    ['radio buttons', 'radio', { type: 'select', control: 'radio', options }],
    ['a checkbox', 'checkbox', { type: 'boolean' }],
  ] as const)
    test(`${control}: on a phone, it is marked as required, the reason is in view, and the field has the focus and is described by it`, async (t) => {
      const field = { name: 'refused', label, requiredWhen: { field: 'kind', is: 'firm' }, ...component }
      const components = [field, ...others, { name: 'kind', type: 'text' }]
      const { tenantId } = await addTenantWithSchema(fixture, { components } as ProfileSchemaInput)
      const user = { email: 'ada@example.com', profile: { kind: 'private' } }
      const { id } = await fixture.service.admin.createUser({ tenantId }, user)
      const page = await fixture.open(t, `/tenants/${tenantId}/users/${id}`, {
        ...{ viewport: { width: 390, height: 844 }, expected: [/status of 400/] },
      })
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('kind').fill('firm')
      await page.locator('form').getByText('*', { exact: true }).waitFor()
      await expectFits(page)
      await page.getByRole('button', { name: 'Save' }).click()
      await expectInView(page.getByText('Validation rule not met (requiredWhen)'))
      const focused = page.locator('form').getByRole(role).and(page.locator(':focus'))
      await focused.waitFor({ state: 'attached' })
      await expectSoon(() => focused.evaluate(descriptionOf), 'Validation rule not met (requiredWhen)')
    })
})
