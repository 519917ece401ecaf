import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { openConsole } from '../support/browser/console.ts'
import { eventRows } from '../support/events/recorded-events.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService } from '../support/service.ts'
import { addOpenTenant, newEmail, signInByCode } from '../support/sign-in-methods.ts'

/** What rare acts record, by real calls on a service whose requests are limited. */
export async function recordedByRareActs(t: TestContext): Promise<ReturnType<typeof eventRows>> {
  const google = await startIdentityProvider('google')
  const service = await startTestService({ identityProviders: google.settings, limitsText: 'all=off,resend=2/h' })
  t.after(() => Promise.all([service.close(), google.close()]))
  const tenant = await addOpenTenant(service, { google })
  const { tenantId, client } = tenant
  await service.admin.updateConfiguration(
    { tenantId },
    { events: { detail: 'all' }, otp: { resendIntervalSeconds: 0 } },
  )

  const email = newEmail()
  await signInByCode(service, tenant, { email })
  const claims = { sub: 'linked', email, email_verified: true }
  const linked = await client.signIn({ method: 'google', idToken: await google.sign(claims) })
  const user = client.withSession(linked.accessToken)
  const { identities } = await user.getAccount()
  await user.removeIdentity({ identityId: identities.find(({ method }) => method === 'google')!.id })

  const person = await addPerson(service, tenant)
  await refused((await person.client()).stepUp({ method: 'password', password: 'wrong horse' }), 'INVALID_CREDENTIALS')

  const { id } = await client.issueOtp({ scope: 'otp_signin', email })
  const wrong = (await service.codeOf(id)) === '000000' ? '111111' : '000000'
  for (let attempt = 0; attempt < 5; attempt++) {
    await assert.rejects(client.verifyOtp({ id, scope: 'otp_signin', code: wrong }))
  }
  const { id: resent } = await client.issueOtp({ scope: 'otp_signin', email })
  for (let call = 0; call < 2; call++) await client.resendOtp({ id: resent, scope: 'otp_signin' })
  await refused(client.resendOtp({ id: resent, scope: 'otp_signin' }), 'TOO_MANY_REQUESTS')

  await service.service.services.delivery.stop()
  await client.issueOtp({ scope: 'otp_signin', email })
  service.clock.advance(3_600_000)
  service.service.services.delivery.start()
  await service.service.services.delivery.drain()

  const publish = (rule: object) =>
    service.admin.publishProfileSchema({ tenantId }, { components: [{ name: 'nick', type: 'text', ...rule }] })
  await publish({})
  const rows = ['a', 'A'].map((nick, index) => ({ email: `${index}@rare.example`, profile: { nick } }))
  await importInto(service, tenant, rows)
  await publish({ searchable: true })
  await publish({ unique: true })

  await openConsole(service.baseUrl, service.adminKey)
  await service.service.services.housekeeping.run()
  return eventRows(service.database)
}
