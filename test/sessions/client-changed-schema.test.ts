import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { createSession } from '../../packages/client/src/index.ts'
import { configurationOf } from '../../packages/client/src/react/configuration.ts'
import { createProfileForm } from '../../packages/client/src/react/profile-form.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service.close())

const first: ProfileSchemaInput = {
  components: [
    { name: 'firstName', type: 'text' },
    { name: 'city', type: 'text' },
  ],
  forms: { welcome: { steps: [{ step: 'who', fields: ['firstName'] }] } },
}
const second: ProfileSchemaInput = {
  components: [
    { name: 'givenName', type: 'text' },
    { name: 'city', type: 'text' },
  ],
  forms: { welcome: { steps: [{ step: 'name', fields: ['givenName'], required: ['givenName'] }] } },
  migrations: [{ rename: { from: 'firstName', to: 'givenName' } }],
}

/** A form that was mounted with the first schema, after the second one was published. */
async function outdatedForm() {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, first)
  const { email, password } = await addPerson(service, tenant)
  const session = createSession(tenant.client)
  await session.client.signIn({ method: 'password', email, password })
  await session.client.updateProfile({ firstName: 'Ada' })
  const { state } = configurationOf(session)
  const mount = () => {
    const form = createProfileForm(session, false)
    form.state.subscribe(() => {})
    return form
  }
  const form = mount()
  state.subscribe(() => {})
  await until(() => form.state.get().profile !== undefined && state.get().configuration !== undefined)
  await service.admin.publishProfileSchema(tenant, second)
  const fields = () => state.get().configuration?.profileSchema?.components.map(({ name }) => name)
  assert.deepEqual(fields(), ['firstName', 'city'])
  return { form, fields, mount, profile: () => session.client.getProfile() }
}

test('does not report a value as saved that the service ignored, and shows the fields of the new version', async () => {
  const { form, fields, profile } = await outdatedForm()
  form.setValue('firstName', 'Grace')
  form.setValue('city', 'Paris')
  assert.equal(await form.submit({ onSaved: () => assert.fail('not all is saved') }), false)
  assert.match(form.state.get().error!.message, /^The profile schema has changed; not saved: firstName\./)
  assert.deepEqual(fields(), ['givenName', 'city'])
  const { givenName, city } = await profile()
  assert.deepEqual([givenName, city], ['Ada', 'Paris'])
  form.setValue('givenName', 'Grace')
  assert.equal(await form.submit({}), true)
  assert.equal(form.state.get().error, undefined)
  assert.equal((await profile())['givenName'], 'Grace')
})

test('saves what a new version still has, and shows its fields afterwards', async () => {
  const { form, fields, profile } = await outdatedForm()
  form.setValue('city', 'Paris')
  assert.equal(await form.submit({}), true)
  assert.equal((await profile())['city'], 'Paris')
  await until(() => fields()?.includes('givenName') === true)
})

test('shows the fields of the new version to a form that is mounted later', async () => {
  const { fields, mount } = await outdatedForm()
  mount()
  await until(() => fields()?.includes('givenName') === true)
})

test('shows the steps of the new version after a refusal of one that no longer exists', async () => {
  const { form, fields } = await outdatedForm()
  form.setValue('firstName', 'Grace')
  assert.equal(await form.submit({ form: 'welcome' }), false)
  assert.equal((form.state.get().error as { code?: string }).code, 'VALIDATION_ERROR')
  await until(() => fields()?.includes('givenName') === true)
  form.setValue('givenName', 'Grace')
  assert.equal(await form.submit({ form: 'welcome' }), true)
})
