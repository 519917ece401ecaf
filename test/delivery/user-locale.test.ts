import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ProfileMigration } from '../../contract/profile-schema.ts'
import { storedRow } from '../support/databases/stored-rows.ts'
import { addPerson, type Person } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant
let person: Person
const statements: string[] = []

before(async () => {
  service = await startTestService({ hooks: { onStatement: (name) => statements.push(name) } })
  tenant = await service.addTenant({ configuration: { delivery: { defaultLocale: 'es' } } })
  const { tenantId } = tenant
  await service.admin.publishProfileSchema({ tenantId }, { components: [{ name: 'language', type: 'text' }] })
  person = await addPerson(service, tenant)
})
after(() => service.close())

const languageOf = (otpId: string) => storedRow(service, 'SELECT locale FROM otps WHERE id = ?', otpId)['locale']
const challenge = async (headers: Record<string, string> = {}, locale?: string) => {
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email: person.email, locale }, { headers })
  return languageOf(id)
}

test('reads the language from a field of type language', async () => {
  const other = await service.addTenant({ configuration: { delivery: { defaultLocale: 'es' } } })
  const components = [{ name: 'language', type: 'language' as const }]
  await service.admin.publishProfileSchema({ tenantId: other.tenantId }, { components })
  const user = await addPerson(service, other)
  const client = await user.client()
  await client.updateProfile({ language: 'zh-Hant' })
  const { id } = await client.issueOtp({ scope: 'email_verification' })
  assert.equal(languageOf(id), 'zh-Hant')
})

test('reads the language as the current schema shows it, before the profile is migrated', async () => {
  const other = await service.addTenant({ configuration: { delivery: { defaultLocale: 'es' } } })
  const publish = (name: string, migrations: ProfileMigration[] = []) =>
    service.admin.publishProfileSchema(other, { components: [{ name, type: 'language' }], migrations })
  await publish('tongue')
  const client = await (await addPerson(service, other)).client()
  await client.updateProfile({ tongue: 'fr' })
  const language = async () => {
    service.clock.advance(60_000)
    return languageOf((await client.issueOtp({ scope: 'email_verification' })).id)
  }
  assert.equal(await language(), 'es')
  await publish('language', [{ rename: { from: 'tongue', to: 'language' } }])
  assert.equal(await language(), 'fr')
  await publish('country')
  assert.equal(await language(), 'es', 'the value of a removed field is archived')
})

test('reads no profile where the schema has no field for a language', async () => {
  const reads = async (of: TestTenant, email: string) => {
    service.clock.advance(60_000)
    statements.length = 0
    await of.client.resetPassword({ step: 'challenge', email })
    return statements.filter((name) => name === 'profile.find').length
  }
  const other = await service.addTenant()
  const { email } = await addPerson(service, other)
  assert.deepEqual([await reads(other, email), await reads(tenant, person.email)], [0, 1])
})

test('uses the language of the request, the user, the browser or the tenant, in this order', async () => {
  assert.equal(await challenge(), 'es')
  assert.equal(await challenge({ 'accept-language': 'de' }), 'de')
  const client = await person.client()
  await client.updateProfile({ language: 'fr' })
  assert.equal(await challenge({ 'accept-language': 'de' }), 'fr')
  assert.equal(await challenge({ 'accept-language': 'de' }, 'ja'), 'ja')
  const { id } = await client.issueOtp({ scope: 'email_verification' }, { headers: { 'accept-language': 'de' } })
  assert.equal(languageOf(id), 'fr')
  await client.updateProfile({ language: 'not a language' })
  assert.equal(await challenge({ 'accept-language': 'de' }), 'de')
})
