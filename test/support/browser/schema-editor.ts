import type { Page } from 'playwright-core'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import type { ConsoleFixture } from './console-page.ts'

/** A schema with two sections and a condition. */
export const editedSchema: ProfileSchemaInput = {
  components: [
    { name: 'firstName', type: 'text', label: { default: 'First name', fr: 'Prénom' } },
    { name: 'lastName', type: 'text', label: 'Last name' },
    { name: 'kind', type: 'select', label: 'Account', options: [{ value: 'private' }, { value: 'firm' }] },
    { name: 'vat', type: 'text', label: 'VAT number', visibleWhen: { field: 'kind', is: 'firm' } },
  ],
  presentation: [
    { section: 'about', title: 'About you', fields: ['firstName', 'lastName'] },
    { section: 'more', title: 'More', fields: ['kind', 'vat'] },
  ],
}

/** A tenant with a published schema, and the path of its editor. */
export async function addTenantWithSchema({ service }: ConsoleFixture, schema = editedSchema) {
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  await service.admin.publishProfileSchema({ tenantId }, schema)
  const read = () => service.admin.readProfileSchema({ tenantId })
  return { tenant, tenantId, read, path: `/tenants/${tenantId}/profile-schema` }
}

/** The names of the fields in the order of the list. */
export const fieldNames = (page: Page): Promise<(string | null)[]> =>
  page.locator('li[data-field]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-field')))

export const fieldRow = (page: Page, name: string) => page.locator(`li[data-field=${name}]`)

export const openField = (page: Page, name: string): Promise<void> =>
  fieldRow(page, name).getByRole('button', { expanded: false }).first().click()

/** Writes a document into the JSON view. */
export async function writeSchema(page: Page, document: object): Promise<void> {
  const text = page.getByRole('textbox', { name: 'Profile schema as JSON' })
  await text.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(JSON.stringify(document))
}

/** The form of apps, in its frame. */
export const previewedForm = (page: Page) => page.frameLocator('iframe[title="The form of apps"]')

export const openDialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
