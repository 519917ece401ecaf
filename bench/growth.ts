import { createAccessTokens } from '../server/accounts/sessions/access-token.ts'
import { loadSigningKeys } from '../server/accounts/sessions/load-signing-keys.ts'
import { ulid } from '../server/core/ids.ts'
import { codeContext } from '../server/otp/otp.ts'
import { createKeyring, type Keyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import type { Storage } from '../server/storage/storage.ts'
import { issueTenantKey } from '../server/tenants/tenant-key.ts'
import { openStorageAt } from '../test/support/databases/open-database.ts'
import type { Child } from './child.ts'
import { type Filled, fillPostgres, fillSqlite, serve } from './filled-database.ts'
import { idOf } from './generated-rows.ts'
import { growthRows, type Size } from './growth-rows.ts'
import { drive, requestBytes } from './load.ts'
import { median, row } from './table.ts'

const small: Size = { tenants: 10, users: 1_000 }
const large: Size = { tenants: 10_000, users: 1_000_000 }
const target = 1.1
/** The issuer of the access tokens; nothing connects to it. */
const publicUrl = 'http://127.0.0.1'
/** Few, so that the duration of requests is measured and not their queueing. */
const connections = 4
/** Users that send requests, distributed over all tenants. */
const samples = 1_000

/** A user that sends requests. */
interface Sample {
  readonly headers: Record<string, string>
  readonly accessToken: string
  readonly email: string
  readonly otpId: string
}

/** Rounds of each operation and their duration; `only` selects lines by a part of their name, such as "SQLite". */
interface GrowthOptions {
  readonly rounds: number
  readonly seconds: number
  readonly only: string
}

/** A service under measurement with a filled database. */
interface Served {
  readonly child: Child
  readonly people: readonly Sample[]
  stop(): Promise<void>
}

/**
 * `npm run bench -- growth`: compares the median of each hot operation with 1,000,000 users at 10,000 tenants to that
 * with 1,000 users at 10 tenants, on both engines. 1,000 evenly distributed users send the requests. The two are driven in
 * turn, so that other load on the machine affects both.
 */
export async function benchGrowth({ rounds, seconds, only }: GrowthOptions): Promise<void> {
  console.log(
    `\n${connections} connections, ${rounds} rounds of ${seconds} s each, medians in ms, target ${target} times at most\n`,
  )
  for (const [engine, fill] of Object.entries({ SQLite: fillSqlite, PostgreSQL: fillPostgres })) {
    const selected = Object.keys(operations).filter((operation) => `${engine}, ${operation}`.includes(only))
    if (selected.length === 0) continue
    const before = await start(await fill(growthRows(small)), small)
    const after = await start(await fill(growthRows(large)), large)
    try {
      for (const operation of selected) {
        const [small, large]: [number[], number[]] = [[], []]
        // Warm-up: the first read comes from the disk at any size.
        for (const each of [before, after]) await measure(each, operation, Math.max(1, seconds))
        for (let round = 0; round < rounds; round++) {
          small.push(await measure(before, operation, seconds))
          large.push(await measure(after, operation, seconds))
        }
        const ratio = median(large.map((p50, round) => p50 / small[round]!))
        const cells = [median(small), median(large), ratio].map((cell) => cell.toFixed(2))
        console.log(row(`${engine}, ${operation}`, ...cells))
      }
    } finally {
      await before.stop()
      await after.stop()
    }
  }
}

async function start({ url, dispose }: Filled, size: Size): Promise<Served> {
  const masterKeys = generateMasterKeys(Date.now())
  const storage = await openStorageAt(url)
  const people = await prepareSamples(storage, createKeyring(masterKeys), size)
  await storage.close()
  const child = await serve(url, { TENANTRY_MASTER_KEYS: masterKeys, TENANTRY_PUBLIC_URL: publicUrl })
  const stop = async () => {
    await child.stop()
    await dispose()
  }
  return { child, people, stop }
}

/** The median of the operation's times, in milliseconds. */
async function measure({ child, people }: Served, operation: string, seconds: number): Promise<number> {
  const { status, request } = operations[operation]!
  let turn = 0
  const next = () => {
    const person = people[turn++ % people.length]!
    return requestBytes(...request(person, turn))
  }
  return (await drive({ port: child.port, connections, seconds, expectedStatus: status, next })).p50
}

type Request = Parameters<typeof requestBytes>

const operations: Record<string, { status: number; request(person: Sample, turn: number): Request }> = {
  configuration: { status: 200, request: ({ headers }) => ['GET', '/tenant-configuration', headers] },
  resend: {
    status: 201,
    request: ({ headers, otpId }) => ['POST', '/otp/resend', headers, { id: otpId, scope: 'otp_signin' }],
  },
  challenge: {
    status: 201,
    request: ({ headers, email }) => ['POST', '/auth/reset-password', headers, { step: 'challenge', email }],
  },
  'profile PATCH': {
    status: 200,
    request: ({ headers, accessToken }, turn) => [
      'PATCH',
      '/account/profile',
      { ...headers, authorization: `Bearer ${accessToken}` },
      { nickName: `name ${turn}` },
    ],
  },
}

/** Keys, sessions and one-time passwords of the users that send requests. */
async function prepareSamples(storage: Storage, keyring: Keyring, { tenants, users }: Size): Promise<Sample[]> {
  const now = Date.now()
  const logger = { info: () => {}, warn: () => {} }
  const options = { store: storage.system.signingKeys, keyring, logger, periodMs: Number.POSITIVE_INFINITY }
  const accessTokens = createAccessTokens(await loadSigningKeys(options, now), publicUrl)
  const people: Sample[] = []
  for (let sample = 0; sample < samples; sample++) {
    const user = Math.floor((sample * users) / samples)
    const tenantId = idOf('SEEDTENANT', user % tenants)
    const userId = idOf('SEED', user)
    const email = `user${user}@example.com`
    const stores = storage.forTenant(tenantId)
    const key = issueTenantKey('publishable', now)
    const name = { id: key.id, name: 'bench', kind: 'publishable', secretHash: key.secretHash } as const
    await stores.keys.add({ ...name, createdAt: now, expiresAt: null, revokedAt: null, lastUsedAt: null })
    const session = { id: ulid(now), userId, createdAt: now, lastUsedAt: now, revokedAt: null }
    const end = now + 86_400_000
    await stores.sessions.add(
      { ...session, idleExpiresAt: end, expiresAt: end },
      { refreshHash: session.id, amr: ['pwd'] },
      { userAgent: null, network: '127.0.0.0/24' },
    )
    const otpId = ulid(now)
    await stores.otps.issue(
      {
        ...{ id: otpId, scope: 'otp_signin', state: 'pending', userId: null, decoy: false, deliveryMethod: 'email' },
        ...{ recipient: email, locale: null, resendIntervalSeconds: 0, maxResends: 1_000_000, maxVerifyAttempts: 5 },
        ...{ resendCount: 0, wrongCodes: 0, createdAt: now, expiresAt: end, lastSentAt: now },
        ...{ sessionId: null, hadPassword: null, addressVerifiedAt: null },
        sealedCode: keyring.seal('123456', codeContext(tenantId, otpId, 'otp_signin', email)),
      },
      { id: ulid(now), lease: null },
    )
    const subject = { tenantId, userId, sessionId: session.id, amr: ['pwd'], authenticatedAt: now, guest: false }
    const accessToken = await accessTokens.sign(subject, now)
    people.push({ headers: { 'x-tenant-key': key.text }, accessToken, email, otpId })
  }
  return people
}
