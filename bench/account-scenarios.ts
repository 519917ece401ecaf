import { createTenantryClient } from '../client/client.ts'
import { createPasswordHasher } from '../server/passwords/password-hasher.ts'
import { requestBytes } from './load.ts'
import { authorized, type Bench, bare, eachOnce, envelopeBytes, type Scenario } from './scenario.ts'
import { benchPassword, seedOtps } from './seed.ts'

/** The operations on accounts. Their order matters: confirming a reset ends sessions and changes passwords. */
export async function accountScenarios({ baseUrl, tenant, storage, keyring, userIds }: Bench): Promise<Scenario[]> {
  const { tenantKey, sessions, emails } = tenant
  const key = { 'x-tenant-key': tenantKey }
  const [session] = sessions
  const accessToken = session!.accessToken
  const accountBytes = envelopeBytes(await createTenantryClient({ baseUrl, tenantKey, accessToken }).getAccount())
  const refreshTokens = sessions.map(({ refreshToken }) => refreshToken)
  const hasher = createPasswordHasher()
  const caller = { tenantId: 'bench' }
  const stored = await hasher.hash(benchPassword, caller)
  const newPassword = 'a new password'

  return [
    {
      name: 'account',
      status: 200,
      target: null,
      prepare: async () => {
        let next = 0
        return () => requestBytes('GET', '/account', authorized(tenant, next++))
      },
      reference: { bare: bare('GET', 200, accountBytes, authorized(tenant, 0)) },
    },
    {
      name: 'refresh',
      status: 201,
      target: null,
      // Each connection has its own session and uses up its refresh tokens one by one.
      prepare: async () => (connection, answer) => {
        if (answer !== null) refreshTokens[connection] = refreshTokenOf(answer) ?? refreshTokens[connection]!
        return requestBytes('POST', '/auth/refresh', key, { refreshToken: refreshTokens[connection] })
      },
      reference: {
        bare: bare('POST', 201, envelopeBytes(session), key, { refreshToken: refreshTokens[0] }),
      },
    },
    {
      name: 'sign-in (bare: the hash alone)',
      status: 201,
      target: 0.9,
      prepare: async () => {
        let next = 0
        return () => {
          const email = emails[next++ % emails.length]
          return requestBytes('POST', '/auth/sign-in', key, { method: 'password', email, password: benchPassword })
        }
      },
      reference: { alone: () => hasher.verify(stored, benchPassword, caller) },
    },
    {
      name: 'confirm (bare: the hash alone)',
      status: 201,
      target: 0.9,
      prepare: async (count) => {
        const ids = await seedOtps(storage, keyring, tenant, count, {
          scope: 'reset_password',
          verified: true,
          userIds,
        })
        return eachOnce(ids, (token) =>
          requestBytes('POST', '/auth/reset-password', key, { step: 'confirm', token, password: newPassword }),
        )
      },
      reference: { alone: () => hasher.hash(newPassword, caller) },
    },
  ]
}

/** The refresh token in a response; an error response has none. */
const refreshTokenOf = (answer: Buffer): string | undefined =>
  /"refreshToken":"([^"]+)"/.exec(answer.toString('latin1'))?.[1]
