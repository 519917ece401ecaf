import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Environment } from '../../server/settings/config.ts'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { deploymentTwilio, startTwilio } from '../support/delivery/sending.ts'
import { drain, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { sampleOf } from '../support/runner/sample-size.ts'
import { startTestService, type TestService } from '../support/service.ts'

const scope = 'otp_signin'
const ordinary = '+33612345678'
/** Satellite, global and premium rate numbers, and one of each other rejected type. */
const special = {
  '+881': '+881612345678',
  '+870': '+870773111632',
  '+882': '+88216123456',
  '+979': '+979123456789',
  'premium:US': '+19005550123',
  'premium:FR': '+33899123456',
  'shared-cost:FR': '+33810123456',
  'uan:GB': '+445512345678',
  'personal:GB': '+447012345678',
  'voicemail:CH': '+41860791234567',
}

const start = async (environment: Environment): Promise<TestService> =>
  environment === 'production'
    ? startSendingService([deploymentTwilio(await startTwilio())])
    : startTestService({ environment })

for (const environment of sampleOf(['development', 'staging', 'production'] as const)) {
  describe(`SMS fraud in ${environment}`, () => {
    let service: TestService
    before(async () => {
      service = await start(environment)
    })
    after(() => service.close())

    test('is rejected with a publishable key at a tenant without code sign-in', async () => {
      const { client } = await service.addTenant({ methods: ['password'] })
      await changesNothing(service, async () => {
        for (const phone of [...Object.values(special), ordinary]) {
          await refused(client.issueOtp({ scope, phone }), 'RESTRICTED_CAPABILITY')
          await refused(client.issueOtp({ scope: 'phone_verification', phone }), 'MISSING_USER_TOKEN')
        }
      })
    })

    test('reaches no satellite, global or premium number at a tenant with code sign-in, by any operation', async () => {
      const tenant = await service.addTenant()
      const person = await addPerson(service, tenant)
      const client = await person.client()
      await changesNothing(service, async () => {
        for (const phone of Object.values(special)) {
          await refused(tenant.client.issueOtp({ scope, phone }), 'OTP_METHOD_NOT_AVAILABLE')
          await refused(client.changePhone({ phone }), 'OTP_METHOD_NOT_AVAILABLE')
        }
      })
      await tenant.client.issueOtp({ scope, phone: ordinary })
      await client.changePhone({ phone: ordinary })
    })

    test('does not reach the special number of a user either', async () => {
      const tenant = await service.addTenant()
      const password = 'correct horse'
      const account = { email: 'ada@example.com', phone: special['+881'] }
      await service.admin.createUser({ tenantId: tenant.tenantId }, { ...account, password })
      const { accessToken } = await tenant.client.signIn({ method: 'password', email: account.email, password })
      const client = tenant.client.withSession(accessToken)
      await changesNothing(service, async () => {
        await refused(client.issueOtp({ scope: 'phone_verification' }), 'OTP_METHOD_NOT_AVAILABLE')
      })
    })

    test('listed destinations get codes, and no others do', async () => {
      for (const [listed, phone] of Object.entries(special)) {
        const { client } = await service.addTenant({ configuration: { delivery: { smsCountries: ['FR', listed] } } })
        const { id } = await client.issueOtp({ scope, phone })
        await client.issueOtp({ scope, phone: ordinary })
        await drain(service)
        assert.equal(messageOf(service, id)['state'], 'sent')
        for (const [other, number] of Object.entries(special)) {
          if (other !== listed) await refused(client.issueOtp({ scope, phone: number }), 'OTP_METHOD_NOT_AVAILABLE')
        }
        await refused(client.issueOtp({ scope, phone: '+4915123456789' }), 'OTP_METHOD_NOT_AVAILABLE')
      }
    })

    test('a number removed from the list gets no resend and no test message', async () => {
      const phone = special['+870']
      const tenant = await service.addTenant({ configuration: { delivery: { smsCountries: ['+870'] } } })
      const { id } = await tenant.client.issueOtp({ scope, phone })
      await drain(service)
      await service.admin.updateConfiguration(tenant, { delivery: { smsCountries: null } })
      service.clock.advance(60_000)
      await tenant.client.resendOtp({ id, scope })
      await drain(service)
      const { state, last_error } = messageOf(service, id)
      assert.deepEqual([state, last_error], ['failed', 'SMS to this type of number are not allowed'])
      const sample = { kind: 'otp_signin', method: 'sms', to: phone } as const
      const { delivered, problem } = await service.admin.sendTestMessage(tenant, sample)
      assert.deepEqual([delivered, problem], [false, 'SMS to this type of number are not allowed'])
    })
  })
}

test('reports each invalid field of a list of SMS destinations', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const configure = (delivery: unknown) => service.admin.updateConfiguration(tenant, { delivery } as never)
  const message = 'Give a country such as FR, a global range such as +881, or a type such as premium:GB'
  for (const entry of ['fr', '+33', '+8810', 'premium', 'premium:gb', 'toll-free:GB', '*', 'FR\n']) {
    await invalid(configure({ smsCountries: ['FR', entry] }), { 'delivery.smsCountries.1': message })
  }
  await configure({ smsCountries: ['FR', '+881', 'premium:GB'] })
})
