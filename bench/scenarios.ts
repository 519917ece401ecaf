import { createTenantryClient } from '../client/client.ts'
import type { Keyring } from '../server/secrets/keyring.ts'
import type { Storage } from '../server/storage/storage.ts'
import { type NextRequest, requestBytes } from './load.ts'
import { type BenchTenant, benchCode, seedOtps } from './seed.ts'

/** One line of the table: what the service is asked, and what the bare server is asked instead. */
export interface Scenario {
  readonly name: string
  /** What the service must answer. */
  readonly status: number
  /** The ratio to the bare server to reach. */
  readonly target: number | null
  /** The requests; a source that can run dry is made for `count` of them. */
  prepare(count: number): Promise<NextRequest>
  /** A request as big to the bare server, which answers as many bytes. */
  readonly bare: NextRequest
}

/** Everything the scenarios share. */
export interface Bench {
  readonly baseUrl: string
  readonly tenant: BenchTenant
  readonly storage: Storage
  readonly keyring: Keyring
  readonly userIds: readonly string[]
}

/** The operations that are measured. */
export async function scenariosOf({ baseUrl, tenant, storage, keyring, userIds }: Bench): Promise<Scenario[]> {
  const key = { 'x-tenant-key': tenant.tenantKey }
  const configuration = await fetch(`${baseUrl}/tenant-configuration`, { headers: key })
  const configurationBytes = (await configuration.arrayBuffer()).byteLength
  const etag = configuration.headers.get('etag') ?? ''
  const client = createTenantryClient({ baseUrl, tenantKey: tenant.tenantKey, accessToken: tenant.accessTokens[0]! })
  const profileBytes = envelopeBytes(await client.updateProfile({ field0: 'first' }))
  const acted = envelopeBytes({ success: true })
  const challenged = envelopeBytes(await client.resetPassword({ step: 'challenge', email: tenant.emails[0]! }))

  const bare = (
    method: string,
    status: number,
    bytes: number,
    headers: Record<string, string>,
    body?: unknown,
  ): NextRequest => {
    const request = requestBytes(method, `/${status}/${bytes}`, headers, body)
    return () => request
  }
  const post = (path: string, body: unknown) => requestBytes('POST', path, key, body)
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  const update = (i: number) => ({ field1: `value ${i}`, field2: 'another value', field3: 'and one more' })
  const authorized = (i: number) => ({
    ...key,
    authorization: `Bearer ${tenant.accessTokens[i % tenant.accessTokens.length]}`,
  })

  return [
    {
      name: `configuration, ${Math.round(configurationBytes / 1024)} KB`,
      status: 200,
      target: 0.5,
      prepare: async () => always(requestBytes('GET', '/tenant-configuration', key)),
      bare: bare('GET', 200, configurationBytes, key),
    },
    {
      name: 'configuration, 304',
      status: 304,
      target: 0.55,
      prepare: async () => always(requestBytes('GET', '/tenant-configuration', { ...key, 'if-none-match': etag })),
      bare: bare('GET', 304, 0, { ...key, 'if-none-match': etag }),
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
      bare: bare('POST', 201, acted, key, { id, scope: 'otp_signin' }),
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
      bare: bare('POST', 201, challenged, key, { step: 'challenge', email: tenant.emails[0] }),
    },
    {
      name: 'verify',
      status: 201,
      target: null,
      prepare: async (count) => {
        const ids = await seedOtps(storage, keyring, tenant, count, { scope: 'otp_signin', verified: false })
        return eachOnce(ids, (id) => post('/otp/verify', { id, scope: 'otp_signin', code: benchCode }))
      },
      bare: bare('POST', 201, acted, key, { id, scope: 'otp_signin', code: benchCode }),
    },
    {
      name: 'profile PATCH',
      status: 200,
      target: 0.18,
      prepare: async () => {
        let next = 0
        return () => requestBytes('PATCH', '/account/profile', authorized(++next), update(next))
      },
      bare: bare('PATCH', 200, profileBytes, authorized(0), update(0)),
    },
  ]
}

/** Confirm is bound by its hash, so it is held against hashing alone (`bench/confirm.ts`). */
export async function confirmRequests(
  { tenant, storage, keyring, userIds }: Bench,
  count: number,
): Promise<NextRequest> {
  const ids = await seedOtps(storage, keyring, tenant, count, { scope: 'reset_password', verified: true, userIds })
  return eachOnce(ids, (token) =>
    requestBytes(
      'POST',
      '/auth/reset-password',
      { 'x-tenant-key': tenant.tenantKey },
      { step: 'confirm', token, password: 'a new password' },
    ),
  )
}

const always =
  (request: Buffer): NextRequest =>
  () =>
    request

function eachOnce(ids: readonly string[], request: (id: string) => Buffer): NextRequest {
  let next = 0
  return () => {
    const id = ids[next++]
    if (id === undefined) throw new Error('The prepared one-time passwords ran out: prepare more')
    return request(id)
  }
}

/** Bytes of an answer in its envelope. */
const envelopeBytes = (data: unknown): number =>
  Buffer.byteLength(
    JSON.stringify({ meta: { requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', timestamp: new Date().toISOString() }, data }),
  )
