import { createTenantryClient } from '../client/client.ts'
import { accountScenarios } from './account-scenarios.ts'
import { requestBytes } from './load.ts'
import { always, authorized, type Bench, bare, eachOnce, envelopeBytes, type Scenario } from './scenario.ts'
import { benchCode, seedOtps } from './seed.ts'

/** The measured operations. */
export async function scenariosOf(bench: Bench): Promise<Scenario[]> {
  const { baseUrl, tenant, storage, keyring, userIds } = bench
  const key = { 'x-tenant-key': tenant.tenantKey }
  const configuration = await fetch(`${baseUrl}/tenant-configuration`, { headers: key })
  const configurationBytes = (await configuration.arrayBuffer()).byteLength
  const etag = configuration.headers.get('etag') ?? ''
  const client = createTenantryClient({
    baseUrl,
    tenantKey: tenant.tenantKey,
    accessToken: tenant.sessions[0]!.accessToken,
  })
  const profileBytes = envelopeBytes(await client.updateProfile({ field0: 'first' }))
  const acted = envelopeBytes({ success: true })
  const challenged = envelopeBytes(await client.resetPassword({ step: 'challenge', email: tenant.emails[0]! }))

  const post = (path: string, body: unknown) => requestBytes('POST', path, key, body)
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  const update = (i: number) => ({ field1: `value ${i}`, field2: 'another value', field3: 'and one more' })

  return [
    {
      name: `configuration, ${Math.round(configurationBytes / 1024)} KB`,
      status: 200,
      target: 0.5,
      prepare: async () => always('GET', '/tenant-configuration', key),
      reference: { bare: bare('GET', 200, configurationBytes, key) },
    },
    {
      name: 'configuration, 304',
      status: 304,
      target: 0.55,
      prepare: async () => always('GET', '/tenant-configuration', { ...key, 'if-none-match': etag }),
      reference: { bare: bare('GET', 304, 0, { ...key, 'if-none-match': etag }) },
    },
    {
      name: 'resend',
      status: 201,
      target: 0.25,
      prepare: async (count) => {
        const ids = await seedOtps(storage, keyring, tenant, Math.ceil(count / 20), {
          scope: 'otp_signin',
          verified: false,
          userIds,
        })
        let next = 0
        return () => post('/otp/resend', { id: ids[next++ % ids.length], scope: 'otp_signin' })
      },
      reference: { bare: bare('POST', 201, acted, key, { id, scope: 'otp_signin' }) },
    },
    {
      name: 'challenge',
      status: 201,
      target: 0.22,
      prepare: async () => {
        let next = 0
        return () =>
          post('/auth/reset-password', { step: 'challenge', email: tenant.emails[next++ % tenant.emails.length] })
      },
      reference: { bare: bare('POST', 201, challenged, key, { step: 'challenge', email: tenant.emails[0] }) },
    },
    {
      name: 'verify',
      status: 201,
      target: null,
      prepare: async (count) => {
        const ids = await seedOtps(storage, keyring, tenant, count, { scope: 'otp_signin', verified: false })
        return eachOnce(ids, (id) => post('/otp/verify', { id, scope: 'otp_signin', code: benchCode }))
      },
      reference: { bare: bare('POST', 201, acted, key, { id, scope: 'otp_signin', code: benchCode }) },
    },
    {
      name: 'profile PATCH',
      status: 200,
      target: 0.18,
      prepare: async () => {
        let next = 0
        return () => requestBytes('PATCH', '/account/profile', authorized(tenant, ++next), update(next))
      },
      reference: { bare: bare('PATCH', 200, profileBytes, authorized(tenant, 0), update(0)) },
    },
    ...(await accountScenarios(bench)),
  ]
}
