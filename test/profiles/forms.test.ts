import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const schema: ProfileSchemaInput = {
  version: 'first',
  components: [
    { name: 'name', type: 'text' },
    { name: 'nick', type: 'text', rules: { maxLength: 9 } },
    { name: 'secret', type: 'text', readable: false },
    { name: 'tags', type: 'list' },
  ],
  forms: {
    onboarding: {
      steps: [
        { step: 'who', fields: ['name', 'nick', 'secret'], required: ['name', 'secret'] },
        { step: 'mail', verify: 'email' },
        { step: 'phone', verify: 'phone' },
        { step: 'more', fields: ['tags'] },
      ],
    },
    toString: { fields: ['nick'], required: ['nick'] },
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

const step = (name: string, more: object = {}) => ({ step: name, complete: true, missing: [], invalid: [], ...more })

async function stateOf(person: Person, form = 'onboarding') {
  const client = await person.client()
  return changesNothing(service, () => client.getFormState({ form }))
}

test('reads the state of a form from profile and account, and stores nothing', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  assert.deepEqual(await stateOf(person), {
    form: 'onboarding',
    complete: false,
    nextStep: 'who',
    steps: [
      step('who', { complete: false, missing: ['name', 'secret'] }),
      step('mail', { complete: false }),
      step('phone', { complete: false }),
      step('more'),
    ],
  })
  await client.updateProfile({ name: 'Ada', secret: 'of Ada' })
  assert.equal((await stateOf(person)).nextStep, 'mail')
  await person.verified('email_verification')
  assert.equal((await stateOf(person)).nextStep, 'phone')
  await person.verified('phone_verification')
  const steps = ['who', 'mail', 'phone', 'more'].map((name) => step(name))
  assert.deepEqual(await stateOf(person), { form: 'onboarding', complete: true, nextStep: null, steps })
  await client.updateProfile({ secret: null })
  assert.deepEqual((await stateOf(person)).steps[0], step('who', { complete: false, missing: ['secret'] }))
})

test('shows a form with fields as one step', async () => {
  const person = await addPerson(service, tenant)
  const missing = { complete: false, nextStep: 'form', steps: [step('form', { complete: false, missing: ['nick'] })] }
  assert.deepEqual(await stateOf(person, 'toString'), { form: 'toString', ...missing })
})

test('refuses an unknown form', async () => {
  const client = await (await addPerson(service, tenant)).client()
  for (const form of ['unknown', 'Onboarding', '__proto__', 'constructor', 'valueOf', ' ', 'é', 'x'.repeat(100)]) {
    await refused(client.getFormState({ form }), 'FORM_NOT_FOUND')
  }
  const bare = await service.addTenant()
  const person = await addPerson(service, bare)
  const token = (await person.signIn()).accessToken
  await service.admin.replaceConfiguration(bare, {})
  await refused(bare.client.withSession(token).getFormState({ form: 'onboarding' }), 'UNEXPECTED_STATE')
})

test('lists no stored value as invalid that the user cannot change', async () => {
  const other = await service.addTenant()
  const forms = { onboarding: { fields: ['plan', 'born', 'taxId', 'nick'] } }
  const [gold, free] = [{ value: 'gold' }, { value: 'free' }]
  const plan = { name: 'plan', type: 'select', writable: false } as const
  const born = { name: 'born', type: 'date', writeOnce: true } as const
  const taxId = { name: 'taxId', type: 'text', lockedWhen: { field: 'plan', set: true } } as const
  const nick = { name: 'nick', type: 'text' } as const
  await service.admin.publishProfileSchema(other, {
    components: [{ ...plan, options: [gold, free] }, born, taxId, nick],
    forms,
  })
  const person = await addPerson(service, other)
  await (await person.client()).updateProfile({ born: '2015-01-01', taxId: 'FR 1234', nick: 'countess' })
  await service.admin.updateUserProfile({ tenantId: other.tenantId, userId: person.userId }, { plan: 'gold' })
  const [max, minAge] = [{ rules: { maxLength: 3 } }, { rules: { minAge: 18 } }]
  const narrowed = [
    { ...plan, options: [free, { ...gold, when: { field: 'taxId', set: false } }] },
    { ...born, ...minAge },
    { ...taxId, ...max },
    { ...nick, ...max },
  ]
  await service.admin.publishProfileSchema(other, { components: narrowed, forms })

  assert.deepEqual((await stateOf(person)).steps, [step('form', { complete: false, invalid: ['nick'] })])
  await (await person.client()).updateProfile({ nick: 'ada' })
  assert.equal((await stateOf(person)).complete, true)
})

test('reopens a form with a later version: required fields, values that the version would refuse', async () => {
  const other = await service.addTenant()
  await service.admin.publishProfileSchema(other, schema)
  const person = await addPerson(service, other)
  await person.prove()
  await (await person.client()).updateProfile({ name: 'Ada', nick: 'countess', secret: 'of Ada', tags: ['a'] })
  assert.equal((await stateOf(person)).complete, true)

  const [name, , secret, tags] = schema.components
  await service.admin.publishProfileSchema(other, {
    ...schema,
    version: 'second',
    components: [
      name!,
      { name: 'alias', type: 'text', rules: { maxLength: 3 } },
      secret!,
      { ...tags!, name: 'topics' },
    ],
    forms: {
      onboarding: {
        steps: [
          { step: 'who', fields: ['name', 'alias', 'secret'], required: ['name'] },
          { step: 'more', fields: ['topics'], required: ['topics'] },
        ],
      },
    },
    migrations: [{ rename: { from: 'nick', to: 'alias' } }],
  })
  const { steps, nextStep } = await stateOf(person)
  assert.equal(nextStep, 'who')
  assert.deepEqual(steps, [
    step('who', { complete: false, invalid: ['alias'] }),
    step('more', { complete: false, missing: ['topics'] }),
  ])
})

test('asks for a field while its requiredWhen holds, also without a value to judge and if the field is required (FORM-2)', async () => {
  const other = await service.addTenant()
  const unreachable = { field: 'mail', set: false }
  await service.admin.publishProfileSchema(other, {
    components: [
      { name: 'mail', type: 'email' },
      { name: 'phone', type: 'phone', requiredWhen: unreachable },
      { name: 'city', type: 'text', required: true, requiredWhen: unreachable },
    ],
    forms: { contact: { steps: [{ step: 'reach', fields: ['mail', 'phone', 'city'] }] } },
  })
  const client = await (await addPerson(service, other)).client()
  const reach = async () => (await client.getFormState({ form: 'contact' })).steps[0]
  assert.deepEqual(await reach(), { step: 'reach', complete: false, missing: ['phone', 'city'], invalid: [] })
  await client.updateProfile({ mail: 'ada@example.com' })
  assert.deepEqual(await reach(), { step: 'reach', complete: true, missing: [], invalid: [] })
})
