import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ulid } from '../server/core/ids.ts'
import { codeContext } from '../server/otp/otp.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { freePort } from '../test/support/free-port.ts'
import { startArguments, startChild } from './child.ts'
import { benchCode, emailOf, storedOtp } from './people.ts'
import { sqliteRows } from './rows.ts'
import { seedPeople } from './seed.ts'
import { type BenchPeer, startBenchPeer } from './smtp-peer.ts'
import { quantile, row } from './table.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { adminKey, type BenchTenant, createBenchTenant } from './tenant.ts'

interface DeliveryBenchOptions {
  /** Messages in the outbox when the server starts. */
  readonly messages: number
  /** Challenges, one every 20 ms, with an idle queue. */
  readonly challenges: number
}

const betweenChallengesMs = 20
const targetMs = 50

/**
 * `npm run bench -- delivery`: messages per second from a full outbox to a local SMTP server, and the time from a
 * challenge's 201 to its message with an idle queue. The server runs in production mode, in a separate process.
 */
export async function benchDelivery({ messages, challenges }: DeliveryBenchOptions): Promise<void> {
  const folder = temporaryFolder()
  const databasePath = join(folder, 'tenantry.db')
  const masterKeys = generateMasterKeys(Date.now())
  const peer = await startBenchPeer()
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: `sqlite:${databasePath}`,
    TENANTRY_ENVIRONMENT: 'production',
    TENANTRY_PUBLIC_URL: baseUrl,
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: masterKeys,
    TENANTRY_LIMITS: 'all=off',
    SMTP_URL: `smtp://127.0.0.1:${peer.port}?tls=off`,
    MAIL_FROM: 'Bench <bench@example.com>',
    LOG_LEVEL: 'warn',
  }
  const start = () => startChild(port, startArguments, env, '/healthz')

  let server = await start()
  try {
    const tenant = await createBenchTenant(baseUrl)
    await server.stop()
    await fillDatabase({ databasePath, masterKeys, tenant, count: messages })

    server = await start()
    await peer.until(messages)
    const [first, last] = [peer.arrivals[0]!.at, peer.arrivals.at(-1)!.at]
    const perSecond = (messages - 1) / ((last - first) / 1000)
    const busyMiB = server.residentMiB()
    const busyConnections = peer.connections()

    await challengeAll(baseUrl, tenant, peer, 25, 0)
    const times = await challengeAll(baseUrl, tenant, peer, challenges, betweenChallengesMs)

    console.log(`\nNode ${process.version}, ${availableParallelism()} cores; server in production mode, one tenant`)
    console.log('The SMTP server greets each connection after 100 ms; one connection carries 1,000 messages.\n')
    console.log(`${messages} messages from a full outbox:  ${perSecond.toFixed(0)} messages/s`)
    console.log(`  over ${busyConnections} connections in turn, RSS ${busyMiB.toFixed(0)} MiB\n`)
    console.log(
      row(`${challenges} challenges, one every ${betweenChallengesMs} ms`, 'p50 ms', 'p99 ms', 'max ms', 'target'),
    )
    console.log(row('challenge to its 201', ...shares(times.map((time) => time.answered - time.asked)), '-'))
    const delays = times.map((time) => time.arrived - time.answered)
    console.log(row('its 201 to the end of DATA', ...shares(delays), `p99 < ${targetMs}`))
  } finally {
    await server.stop()
    await peer.close()
  }
}

const users = 200
/** One-time passwords issued together. */
const batch = 1_000

interface FullOutbox {
  readonly databasePath: string
  readonly masterKeys: string
  readonly tenant: BenchTenant
  readonly count: number
}

/** Adds users and fills the outbox before the server starts, so that only delivery is measured. */
async function fillDatabase({ databasePath, masterKeys, tenant, count }: FullOutbox): Promise<void> {
  const rows = sqliteRows(databasePath)
  await seedPeople({ rows, tenant, people: { users, sessions: 0 }, sealCode: () => '' })
  await rows.close()
  const storage = await openSqliteStorage({ path: databasePath })
  const { otps } = storage.forTenant(tenant.tenantId)
  const keyring = createKeyring(masterKeys)
  const now = Date.now()
  const scope = 'reset_password'
  const issue = (i: number) => {
    const [id, user] = [ulid(now), i % users]
    const recipient = emailOf(user)
    const sealedCode = keyring.seal(benchCode, codeContext(tenant.tenantId, id, scope, recipient))
    return otps.issue(storedOtp({ id, user, scope }, sealedCode, now), { id: ulid(now), lease: null })
  }
  for (let from = 0; from < count; from += batch) {
    await Promise.all(Array.from({ length: Math.min(batch, count - from) }, (_, i) => issue(from + i)))
  }
  await storage.close()
}

/** Times of one challenge from `performance.now()`. */
interface ChallengeTimes {
  readonly asked: number
  readonly answered: number
  readonly arrived: number
}

/** Each challenge is for a different user, so that its message is identified by its recipient. */
async function challengeAll(
  baseUrl: string,
  { tenantKey }: BenchTenant,
  peer: BenchPeer,
  count: number,
  pauseMs: number,
): Promise<ChallengeTimes[]> {
  const before = peer.arrivals.length
  const asked = Array.from({ length: count }, async (_, i) => {
    await sleep(i * pauseMs)
    return challenge(baseUrl, tenantKey, emailOf(i % users))
  })
  const challenges = await Promise.all(asked)
  await peer.until(before + count)
  const unclaimed = peer.arrivals.slice(before)
  return challenges.map(({ email, asked, answered }) => {
    const index = unclaimed.findIndex(({ to }) => to === email)
    const [arrival] = unclaimed.splice(index, 1)
    return { asked, answered, arrived: arrival!.at }
  })
}

async function challenge(baseUrl: string, tenantKey: string, email: string) {
  const asked = performance.now()
  const response = await fetch(`${baseUrl}/auth/reset-password`, {
    method: 'POST',
    headers: { 'x-tenant-key': tenantKey, 'content-type': 'application/json' },
    body: JSON.stringify({ step: 'challenge', email }),
  })
  const answered = performance.now()
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`The challenge failed with ${response.status}`)
  return { email, asked, answered }
}

const shares = (values: readonly number[]): string[] =>
  [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1))
