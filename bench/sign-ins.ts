import { createTenantryClient } from '../packages/client/src/index.ts'
import { refreshTokenOf } from './people.ts'
import type { Service } from './service.ts'

/** The headers of signed-in users. */
export interface SignIns {
  /** Renews the access tokens when they are about to expire. */
  renew(): Promise<void>
  /** Headers with the access token of a session. */
  headers(session: number): Record<string, string>
}

/** Access tokens are valid for 15 minutes. */
const renewAfterMs = 8 * 60_000
const parallel = 16

/** Signs the seeded sessions in by refreshing them. */
export function createSignIns({ baseUrl, tenant: { tenantKey }, people }: Pick<Service, SignInsNeed>): SignIns {
  const refreshTokens = Array.from({ length: people.sessions }, (_, session) => refreshTokenOf(session))
  const accessTokens: string[] = []
  let renewedAt = 0

  async function renewOne(session: number): Promise<void> {
    const refreshToken = refreshTokens[session]!
    const answer = await createTenantryClient({ baseUrl, tenantKey }).refreshSession({ refreshToken })
    refreshTokens[session] = answer.refreshToken
    accessTokens[session] = answer.accessToken
    // The service verifies a signature once and caches the result. Clients use a token many times, so that is not measured.
    await createTenantryClient({ baseUrl, tenantKey, accessToken: answer.accessToken }).getAccount()
  }

  return {
    async renew() {
      if (Date.now() - renewedAt < renewAfterMs) return
      let next = 0
      await Promise.all(
        Array.from({ length: parallel }, async () => {
          while (next < people.sessions) await renewOne(next++)
        }),
      )
      renewedAt = Date.now()
    },
    headers: (session) => ({ 'x-tenant-key': tenantKey, authorization: `Bearer ${accessTokens[session]}` }),
  }
}

type SignInsNeed = 'baseUrl' | 'tenant' | 'people'
