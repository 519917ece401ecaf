import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { sendLate } from '../support/http/send-late.ts'
import { invalid } from '../support/refused.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { addOpenTenant, newEmail, signInByCode } from '../support/sign-in-methods.ts'

const password = 'correct horse'
let service: TestService

before(async () => {
  service = await startTestService()
})
after(() => service.close())

test('the first proof allows one correction of each write-once value', async () => {
  const strict = await addOpenTenant(service)
  const components = [
    { name: 'iban', type: 'text', writeOnce: true },
    { name: 'name', type: 'text', writeOnce: true },
  ]
  await service.admin.publishProfileSchema(strict, { components: components as never })
  const email = newEmail()
  const squatter = await strict.client.signUp({
    method: 'password',
    email,
    password,
    profile: { iban: 'XX00', name: 'Mallory' },
  })
  const stuck = { iban: 'Validation rule not met' }
  await invalid(strict.client.withSession(squatter.accessToken).updateProfile({ iban: 'XX01' }), stuck)

  const owner = await signInByCode(service, strict, { email })
  assert.equal(owner.firstProof, true)
  const client = strict.client.withSession(owner.accessToken)
  assert.equal((await client.updateProfile({ iban: 'FR76' }))['iban'], 'FR76')
  await invalid(client.updateProfile({ iban: 'FR77' }), stuck)
  assert.equal((await client.updateProfile({ name: 'Alice' }))['name'], 'Alice')
  await invalid(client.updateProfile({ name: 'Bob' }), { name: 'Validation rule not met' })
})

/** The answer to an update by a person who had claimed the address, whose last byte is sent after its first proof. */
async function updateAcrossProof(
  profile: { readonly iban?: string } | undefined,
  onProof: (owner: TenantryClient) => Promise<unknown> = async () => {},
) {
  const strict = await addOpenTenant(service)
  const components = [
    { name: 'iban', type: 'text', writeOnce: true },
    { name: 'name', type: 'text' },
  ]
  await service.admin.publishProfileSchema(strict, { components: components as never })
  const email = newEmail()
  const { accessToken } = await strict.client.signUp({ method: 'password', email, password })
  if (profile !== undefined) await strict.client.withSession(accessToken).updateProfile(profile)
  const headers: [string, string][] = [
    ['x-tenant-key', strict.key],
    ['authorization', `Bearer ${accessToken}`],
    ['connection', 'close'],
  ]
  const update = { method: 'PATCH', path: '/account/profile', headers, body: { iban: 'XX00' } }
  let owner: TenantryClient = strict.client
  const answer = await sendLate(service, update, async () => {
    owner = strict.client.withSession((await signInByCode(service, strict, { email })).accessToken)
    await onProof(owner)
  })
  return { answer, owner }
}

for (const profile of [{ iban: 'XX00' }, {}, undefined]) {
  const name = profile === undefined ? 'no profile' : `the profile ${JSON.stringify(profile)}`
  test(`an update that began before the first proof writes nothing after it, with ${name}`, async () => {
    const { answer, owner } = await updateAcrossProof(profile)
    assertRefusal(answer, 'INVALID_USER_TOKEN')
    assert.equal((await owner.updateProfile({ iban: 'FR76' }))['iban'], 'FR76')
  })
}

for (const profile of [{}, undefined]) {
  const name = profile === undefined ? 'creates' : 'updates'
  test(`an update that began before the first proof writes nothing after its owner ${name} the profile`, async () => {
    const { answer, owner } = await updateAcrossProof(profile, (client) => client.updateProfile({ name: 'Alice' }))
    assertRefusal(answer, 'INVALID_USER_TOKEN')
    assert.equal((await owner.updateProfile({ iban: 'FR76' }))['iban'], 'FR76')
  })
}

test('the correction stays possible when a migration moves the value', async () => {
  const strict = await addOpenTenant(service)
  const once = (name: string) => ({ name, type: 'text' as const, writeOnce: true })
  await service.admin.publishProfileSchema(strict, { components: [once('iban'), once('bank')] })
  const email = newEmail()
  const profile = { iban: 'XX00', bank: 'Mallory Bank' }
  await strict.client.signUp({ method: 'password', email, password, profile })
  const { accessToken } = await signInByCode(service, strict, { email })
  const client = strict.client.withSession(accessToken)
  await service.admin.publishProfileSchema(strict, {
    components: [once('account'), once('bank'), once('iban')],
    migrations: [{ rename: { from: 'iban', to: 'account' } }],
  })
  assert.equal((await client.updateProfile({ account: 'FR76' }))['account'], 'FR76')
  assert.equal((await client.updateProfile({ iban: 'FR1' }))['iban'], 'FR1')
  assert.equal((await client.updateProfile({ bank: 'Bank' }))['bank'], 'Bank')
  for (const field of ['account', 'iban', 'bank']) {
    await invalid(client.updateProfile({ [field]: 'other' }), { [field]: 'Validation rule not met' })
  }
})

test('a form asks for the correction of a value that a later version refuses (FORM-2)', async () => {
  const strict = await addOpenTenant(service)
  const iban = { name: 'iban', type: 'text', writeOnce: true } as const
  const forms = { bank: { fields: ['iban'], required: ['iban'] } }
  await service.admin.publishProfileSchema(strict, { components: [iban], forms })
  const email = newEmail()
  await strict.client.signUp({ method: 'password', email, password, profile: { iban: 'XX00' } })
  const client = strict.client.withSession((await signInByCode(service, strict, { email })).accessToken)
  const components = [{ ...iban, rules: { pattern: '^FR' } }]
  await service.admin.publishProfileSchema(strict, { components, forms })
  assert.deepEqual((await client.getFormState({ form: 'bank' })).steps[0]!.invalid, ['iban'])
  await client.updateProfile({ iban: 'FR76' })
  assert.equal((await client.getFormState({ form: 'bank' })).complete, true)
})

test('write-once values of a verified owner stay fixed', async () => {
  const strict = await addOpenTenant(service)
  await service.admin.publishProfileSchema(strict, { components: [{ name: 'iban', type: 'text', writeOnce: true }] })
  const email = newEmail()
  const first = await signInByCode(service, strict, { email })
  await strict.client.withSession(first.accessToken).updateProfile({ iban: 'FR76' })
  const again = await signInByCode(service, strict, { email })
  const client = strict.client.withSession(again.accessToken)
  await invalid(client.updateProfile({ iban: 'FR77' }), { iban: 'Validation rule not met' })
})
