import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { createSession } from '../../packages/client/src/index.ts'
import { validateProfile } from '../../packages/client/src/profile.ts'
import { configurationOf } from '../../packages/client/src/react/configuration.ts'
import { createProfileForm } from '../../packages/client/src/react/profile-form.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { recordedClient, testStorage } from '../support/session-client.ts'
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

/** A user with a profile by this schema, signed in. */
async function signedIn(schema: ProfileSchemaInput, values: Record<string, unknown>) {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, schema)
  const { email, password } = await addPerson(service, tenant)
  const session = createSession(tenant.client)
  await session.client.signIn({ method: 'password', email, password })
  await session.client.updateProfile(values)
  const { state } = configurationOf(session)
  const mount = async () => {
    const form = createProfileForm(session, false)
    form.state.subscribe(() => {})
    state.subscribe(() => {})
    await until(() => form.state.get().profile !== undefined && state.get().configuration !== undefined)
    return form
  }
  return { tenant, session, state, mount }
}

/** A form that was mounted with the first schema, after the second one was published. */
async function outdatedForm() {
  const { tenant, session, state, mount } = await signedIn(first, { firstName: 'Ada' })
  const form = await mount()
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
  await mount()
  await until(() => fields()?.includes('givenName') === true)
})

test('does not take the stored schema of another tenant, whose session has the same name, for its own', async () => {
  const storage = testStorage()
  for (const name of ['shoeSize', 'hatColour']) {
    const tenant = await service.addTenant()
    await service.admin.publishProfileSchema(tenant, { components: [{ name, type: 'text' }] })
    for (let visit = 0; visit < 2; visit++) {
      const { client, sent } = recordedClient(service, tenant)
      const { state, reload } = configurationOf(createSession(client, { storage, key: 'my-app' }))
      await reload()
      assert.deepEqual(sent, ['GET /tenant-configuration'])
      assert.equal(state.get().configuration?.profileSchema?.components[0]?.name, name)
    }
  }
  assert.equal(storage.items.size, 2)
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

/** A form whose steps have stored values that the current version refuses: the nickname, the terms and the plan. */
async function reopenedForm() {
  const by = (maxLength: number, version: string, plan: string): ProfileSchemaInput => ({
    components: [
      { name: 'nick', type: 'text', rules: { maxLength } },
      { name: 'terms', type: 'consent', rules: { version } },
      { name: 'plan', type: 'select', options: [{ value: plan }], writable: false },
      { name: 'city', type: 'text' },
    ],
    forms: {
      welcome: {
        steps: [
          { step: 'who', fields: ['nick'] },
          { step: 'terms', fields: ['terms'] },
          { step: 'plan', fields: ['plan'] },
          { step: 'where', fields: ['city'], required: ['city'] },
        ],
      },
    },
  })
  const stored = { nick: 'countess', terms: { accepted: true, version: '1' } }
  const { tenant, session, mount } = await signedIn(by(9, '1', 'free'), stored)
  const { id: userId } = await session.client.getAccount()
  await service.admin.updateUserProfile({ ...tenant, userId }, { plan: 'free' })
  await service.admin.publishProfileSchema(tenant, by(3, '2', 'pro'))
  const form = await mount()
  const stepOf = () => session.client.getFormState({ form: 'welcome' }).then(({ nextStep }) => nextStep)
  return { form, stepOf, profile: () => session.client.getProfile() }
}

const welcome = { form: 'welcome', validate: validateProfile }

test('saves the step that is open because of a stored value, and asks to correct the value', async () => {
  const { form, stepOf, profile } = await reopenedForm()
  assert.equal(await stepOf(), 'who')
  form.setValue('nick', 'ada')
  assert.equal(await form.next(welcome), true)
  assert.equal((await profile())['nick'], 'ada')

  assert.equal(await stepOf(), 'terms')
  assert.equal(await form.next(welcome), false)
  assert.deepEqual(form.state.get().details, { terms: { rule: 'version', version: '2' } })
  form.setValue('terms', { accepted: true, version: '2' })
  assert.equal(await form.next(welcome), true)

  assert.equal(await stepOf(), 'where', 'the user cannot change the plan')
  assert.equal(await form.next(welcome), true)
  form.setValue('city', 'Paris')
  assert.equal(await form.next(welcome), true)
  assert.equal((await profile())['city'], 'Paris')
})
