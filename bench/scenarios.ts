import { createTenantryClient } from '../packages/client/src/index.ts'
import { accountScenarios } from './account-scenarios.ts'
import { requestBytes } from './load.ts'
import { benchCode, emailOf, otpIdOf, spread } from './people.ts'
import type { Subject } from './scenario.ts'
import { always, bare, eachOnce, envelopeBytes, floors, type Scenario } from './scenario.ts'
import { addOtps } from './seed.ts'
import { createSignIns } from './sign-ins.ts'

/** The measured operations. Requests are spread over all users; those that need a session, over the users with one. */
export async function scenariosOf(subject: Subject): Promise<Scenario[]> {
  const { baseUrl, tenant, people } = subject
  const key = { 'x-tenant-key': tenant.tenantKey }
  const signIns = createSignIns(subject)
  await signIns.renew()
  const configuration = await fetch(`${baseUrl}/tenant-configuration`, { headers: key })
  const configurationBytes = (await configuration.arrayBuffer()).byteLength
  const etag = configuration.headers.get('etag') ?? ''
  const client = createTenantryClient({ baseUrl, tenantKey: tenant.tenantKey })
  const challenged = envelopeBytes(await client.resetPassword({ step: 'challenge', email: emailOf(0) }))
  const profile = await fetch(`${baseUrl}/account/profile`, { headers: signIns.headers(0) })
  const profileBytes = (await profile.arrayBuffer()).byteLength
  const acted = envelopeBytes({ success: true })

  const post = (path: string, body: unknown) => requestBytes('POST', path, key, body)
  const nextUser = spread(people.users)
  const nextSession = spread(people.sessions)
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  let updates = 0
  const update = (i: number) => ({ field1: `value ${i}`, field2: 'another value', field3: 'and one more' })

  return [
    {
      name: `configuration, ${Math.round(configurationBytes / 1024)} KB`,
      status: 200,
      prepare: async () => always('GET', '/tenant-configuration', key),
      references: { ...floors, bare: bare('GET', 200, configurationBytes, key) },
    },
    {
      name: 'configuration, 304',
      status: 304,
      prepare: async () => always('GET', '/tenant-configuration', { ...key, 'if-none-match': etag }),
      references: { bare: bare('GET', 304, 0, { ...key, 'if-none-match': etag }) },
    },
    {
      name: 'resend',
      status: 201,
      sendsMessages: true,
      prepare: async () => () => post('/otp/resend', { id: otpIdOf(nextUser()), scope: 'otp_signin' }),
      references: { ...floors, bare: bare('POST', 201, acted, key, { id, scope: 'otp_signin' }) },
    },
    {
      name: 'challenge',
      status: 201,
      sendsMessages: true,
      prepare: async () => () => post('/auth/reset-password', { step: 'challenge', email: emailOf(nextUser()) }),
      references: { ...floors, bare: bare('POST', 201, challenged, key, { step: 'challenge', email: emailOf(0) }) },
    },
    {
      name: 'profile PATCH',
      status: 200,
      prepare: async () => {
        await signIns.renew()
        return () => requestBytes('PATCH', '/account/profile', signIns.headers(nextSession()), update(updates++))
      },
      references: { ...floors, bare: bare('PATCH', 200, profileBytes, signIns.headers(0), update(0)) },
    },
    {
      name: 'verify',
      status: 201,
      mostPerSecond: 25_000,
      prepare: async (count) => {
        const ids = await addOtps(subject, count, { scope: 'otp_signin', state: 'pending' })
        return eachOnce(ids, (id) => post('/otp/verify', { id, scope: 'otp_signin', code: benchCode }))
      },
      references: { bare: bare('POST', 201, acted, key, { id, scope: 'otp_signin', code: benchCode }) },
    },
    ...(await accountScenarios(subject, signIns)),
  ]
}
