import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const schema: ProfileSchemaInput = {
  components: [
    { name: 'kind', type: 'select', options: [{ value: 'private' }, { value: 'business' }] },
    { name: 'name', type: 'text' },
    { name: 'vat', type: 'text', visibleWhen: { field: 'kind', is: 'business' } },
    { name: 'topics', type: 'list' },
  ],
  forms: {
    onboarding: {
      steps: [
        { step: 'who', fields: ['kind', 'name'], required: ['name'] },
        { step: 'mail', verify: 'email' },
        { step: 'firm', fields: ['vat'], required: ['vat'], visibleWhen: { field: 'kind', is: 'business' } },
        { step: 'more', fields: ['topics'] },
      ],
    },
    flat: { fields: ['topics'], required: ['topics'] },
  },
}
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, schema)
})
after(() => service.close())

async function newClient() {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const save = (step: string, update: Record<string, unknown>, form = 'onboarding') =>
    client.updateProfile(update, { query: { form, step } })
  return { client, save, person }
}
const names = ({ steps }: { steps: { step: string }[] }) => steps.map(({ step }) => step)

test('saves the fields of a step at once, and ignores all others', async () => {
  const { client, save } = await newClient()
  const saved = await save('who', { name: 'Ada', kind: 'private', topics: 7, other: 1 })
  assert.deepEqual([saved['name'], saved['kind'], saved['topics']], ['Ada', 'private', null])
  assert.deepEqual(await client.getProfile(), saved)
  assert.deepEqual((await save('mail', { name: 'Grace' }))['name'], 'Ada')
  assert.deepEqual((await save('form', { topics: ['a'], name: 'Grace' }, 'flat'))['topics'], ['a'])
})

test('requires a value for the required fields of the step in the profile after the update', async () => {
  const { save } = await newClient()
  await changesNothing(service, () => invalid(save('who', { kind: 'private' }), { name: 'Required' }))
  await invalid(save('who', { kind: 1 }), { kind: 'Expected string, received number', name: 'Required' })
  await invalid(save('who', { name: null }), { name: 'Validation rule not met' })
  await save('who', { name: 'Ada' })
  assert.equal((await save('who', { kind: 'private' }))['name'], 'Ada')
  await invalid(save('who', { name: null }), { name: 'Validation rule not met' })
  await invalid(save('form', {}, 'flat'), { topics: 'Required' })
})

test('judges a step as such before it misses the configuration of the tenant (PROFILE-11)', async () => {
  const bare = await service.addTenant()
  await service.admin.publishProfileSchema(bare, schema)
  const client = await (await addPerson(service, bare)).client()
  await service.admin.replaceConfiguration(bare, {})
  const save = (update: Record<string, unknown>) =>
    client.updateProfile(update, { query: { form: 'onboarding', step: 'who' } })
  await invalid(save({ kind: 'private' }), { name: 'Required' })
  await refused(save({ name: 'Ada', topics: 7 }), 'UNEXPECTED_STATE')
})

test('leads through the steps that exist: a step appears with its condition and disappears with it', async () => {
  const { client, save, person } = await newClient()
  const state = () => client.getFormState({ form: 'onboarding' })
  assert.deepEqual(names(await state()), ['who', 'mail', 'more'])
  await save('who', { name: 'Ada', kind: 'business' })
  assert.deepEqual(names(await state()), ['who', 'mail', 'firm', 'more'])
  await person.verified('email_verification')
  assert.equal((await state()).nextStep, 'firm')
  await invalid(save('firm', {}), { vat: 'Required' })
  await save('firm', { vat: 'FR1' })
  assert.deepEqual([(await state()).complete, (await state()).nextStep], [true, null])
  assert.equal((await save('who', { kind: 'private' }))['vat'], null)
  assert.deepEqual(names(await state()), ['who', 'mail', 'more'])
  assert.equal((await save('firm', { vat: 'FR2' }))['vat'], null)
})

test('reopens the step of a choice that another step makes impossible', async () => {
  const own = await service.addTenant()
  const only = (value: string) => ({ value, when: { field: 'country', is: value.slice(0, 2) } })
  await service.admin.publishProfileSchema(own, {
    components: [
      { name: 'country', type: 'country' },
      { name: 'plan', type: 'select', options: [only('FR-basic'), only('DE-basic')] },
    ],
    forms: {
      order: {
        steps: [
          { step: 'where', fields: ['country'], required: ['country'] },
          { step: 'what', fields: ['plan'], required: ['plan'] },
        ],
      },
    },
  })
  const client = await (await addPerson(service, own)).client()
  const save = (step: string, update: object) => client.updateProfile({ ...update }, { query: { form: 'order', step } })
  const steps = async () => (await client.getFormState({ form: 'order' })).steps
  await save('where', { country: 'FR' })
  await save('what', { plan: 'FR-basic' })
  const { country, plan } = await save('where', { country: 'DE' })
  assert.deepEqual([country, plan], ['DE', 'FR-basic'])
  const reopened = { step: 'what', complete: false, missing: [], invalid: ['plan'] }
  assert.deepEqual((await steps())[1], reopened)
  await invalid(save('what', { plan: 'FR-basic' }), { plan: 'Validation rule not met' })
  await invalid(client.updateProfile({ country: 'BE' }), { plan: 'Validation rule not met' })
  await save('what', { plan: 'DE-basic' })
  assert.equal((await steps())[1]!.complete, true)
})

test('refuses form without step, step without form, and unknown ones', async () => {
  const { client, person } = await newClient()
  const { accessToken } = await person.signIn()
  const send = (query: string, body: unknown = { name: 'Ada' }) =>
    request(service, `PATCH /account/profile${query}`, { key: tenant.key, token: accessToken, body })
  await changesNothing(service, async () => {
    for (const [query, validation] of [
      ['?form=onboarding', { step: 'Required' }],
      ['?form=onboarding&step=', { step: 'Required' }],
      ['?form=unknown', { step: 'Required' }],
      ['?step=who', { form: 'Required' }],
      ['?step=who&form=onboarding&form=onboarding', { form: 'Required' }],
      ['?form=unknown&step=who', { form: 'Invalid enum value' }],
      ['?form=__proto__&step=form', { form: 'Invalid enum value' }],
      ['?form=toString&step=form', { form: 'Invalid enum value' }],
      ['?form=ONBOARDING&step=who', { form: 'Invalid enum value' }],
      ['?form=onboarding%00&step=who', { form: 'Invalid enum value' }],
      ['?form=onboarding&step=form', { step: 'Invalid enum value' }],
      ['?form=onboarding&step=toString', { step: 'Invalid enum value' }],
      ['?form=onboarding&step=who%20', { step: 'Invalid enum value' }],
      [`?form=onboarding&step=${'x'.repeat(5000)}`, { step: 'Invalid enum value' }],
      ['?form=flat&step=who', { step: 'Invalid enum value' }],
    ] as const) {
      const { status, body } = await send(query)
      assert.deepEqual([status, body.error?.validation], [400, validation], query)
    }
    const unreadable = await send('?form=unknown&step=who', [])
    assert.deepEqual(unreadable.body.error.validation, { body: 'Expected object, received array' })
  })
  const repeated = await send('?form=onboarding&form=onboarding&step=', { name: 'Ada', topics: ['a'] })
  assert.deepEqual([repeated.status, repeated.body.data.topics], [200, ['a']])
  assert.equal((await client.updateProfile({ topics: [] }, { query: {} }))['name'], 'Ada')
})

test('takes the hostile members of an update for unknown fields', async () => {
  const { client } = await newClient()
  const update = JSON.parse(
    '{"__proto__": {"name": "x"}, "constructor": 1, "toString": 2, "id": "mine", "name": "Ada"}',
  )
  const saved = await client.updateProfile(update, { query: { form: 'onboarding', step: 'who' } })
  assert.equal(saved['name'], 'Ada')
  assert.notEqual(saved.id, 'mine')
})

test('two steps saved at once lose nothing', async () => {
  for (let round = 0; round < 5; round++) {
    const { client, save } = await newClient()
    await Promise.all([
      ...Array.from({ length: 3 }, (_, index) => save('who', { name: `Ada ${index}` })),
      ...Array.from({ length: 3 }, (_, index) => save('more', { topics: [`${index}`] })),
    ])
    const { name, topics } = await client.getProfile()
    assert.match(String(name), /^Ada [012]$/)
    assert.match(JSON.stringify(topics), /^\["[012]"\]$/)
  }
})

test('a step makes no choice of the operator impossible, as no other update does (FORM-7)', async () => {
  const other = await service.addTenant()
  const inFrance = { field: 'country', is: 'FR' } as const
  const fixed = { lockedWhen: { field: 'checked', is: true } } as const
  await service.admin.publishProfileSchema(other, {
    components: [
      { name: 'country', type: 'country' },
      { name: 'checked', type: 'boolean', writable: false },
      { name: 'plan', type: 'select', options: [{ value: 'free' }, { value: 'pro', when: inFrance }], ...fixed },
      { name: 'vat', type: 'text', requiredWhen: { field: 'country', is: 'DE' }, ...fixed },
    ],
    forms: {
      firm: {
        steps: [
          { step: 'where', fields: ['country'] },
          { step: 'what', fields: ['plan', 'vat'] },
        ],
      },
    },
  })
  const person = await addPerson(service, other)
  const client = await person.client()
  const move = (country: string) => client.updateProfile({ country }, { query: { form: 'firm', step: 'where' } })
  const check = (checked: boolean) =>
    service.admin.updateUserProfile({ tenantId: other.tenantId, userId: person.userId }, { checked })
  await client.updateProfile({ country: 'FR', plan: 'pro' })
  await check(true)
  const refusal = { plan: 'Validation rule not met', vat: 'Validation rule not met' }
  await changesNothing(service, () => invalid(client.updateProfile({ country: 'DE' }), refusal))
  await changesNothing(service, () => invalid(move('DE'), refusal))
  await check(false)
  await move('DE')
  const what = { step: 'what', complete: false, missing: ['vat'], invalid: ['plan'] }
  assert.deepEqual((await client.getFormState({ form: 'firm' })).steps[1], what)
})
