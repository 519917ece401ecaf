import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTenantryClient } from '../client/client.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { startArguments, startChild } from './child.ts'
import { type BenchTenant, seedOtps, seedTenant } from './seed.ts'
import { type BenchPeer, startBenchPeer } from './smtp-peer.ts'
import { row } from './table.ts'

export interface DeliveryBenchOptions {
  /** Messages in the outbox when the server starts. */
  readonly messages: number
  /** Challenges, one every 20 ms, with an idle queue. */
  readonly challenges: number
}

const port = 4602
const adminKey = 'bench-admin-key-of-at-least-32-characters'
const betweenChallengesMs = 20
const targetMs = 50

/**
 * `npm run bench -- delivery`: messages per second from a full outbox to a local SMTP server, and the time from a
 * challenge's 201 to its message with an idle queue. The server runs in production mode, in a separate process.
 */
export async function benchDelivery({ messages, challenges }: DeliveryBenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-bench-'))
  const databasePath = join(folder, 'tenantry.db')
  const masterKeys = generateMasterKeys(Date.now())
  const peer = await startBenchPeer()
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
    const tenant = await seedTenant(baseUrl, adminKey, 200, 0)
    const { items } = await createTenantryClient({ baseUrl, adminKey }).listUsers(tenant, { limit: '200' })
    await server.stop()
    await fillOutbox({ databasePath, masterKeys, tenant, userIds: items.map(({ id }) => id), count: messages })

    server = await start()
    await peer.until(messages)
    const [first, last] = [peer.arrivals[0]!.at, peer.arrivals.at(-1)!.at]
    const perSecond = (messages - 1) / ((last - first) / 1000)
    const busyMiB = server.residentMiB()
    const busyConnections = peer.connections()

    await challengeAll(tenant, peer, 25, 0)
    const times = await challengeAll(tenant, peer, challenges, betweenChallengesMs)

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
    await rm(folder, { recursive: true, force: true })
  }
}

interface FullOutbox {
  readonly databasePath: string
  readonly masterKeys: string
  readonly tenant: BenchTenant
  readonly userIds: readonly string[]
  readonly count: number
}

/** Fills the outbox before the server starts, so that only delivery is measured. */
async function fillOutbox({ databasePath, masterKeys, tenant, userIds, count }: FullOutbox): Promise<void> {
  const storage = await openSqliteStorage({ path: databasePath })
  const options = { scope: 'reset_password', verified: false, userIds } as const
  await seedOtps(storage, createKeyring(masterKeys), tenant, count, options)
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
  { tenantKey, emails }: BenchTenant,
  peer: BenchPeer,
  count: number,
  pauseMs: number,
): Promise<ChallengeTimes[]> {
  const before = peer.arrivals.length
  const asked = Array.from({ length: count }, async (_, i) => {
    await sleep(i * pauseMs)
    return challenge(tenantKey, emails[i % emails.length]!)
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

async function challenge(tenantKey: string, email: string) {
  const asked = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/auth/reset-password`, {
    method: 'POST',
    headers: { 'x-tenant-key': tenantKey, 'content-type': 'application/json' },
    body: JSON.stringify({ step: 'challenge', email }),
  })
  const answered = performance.now()
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`The challenge failed with ${response.status}`)
  return { email, asked, answered }
}

function shares(values: readonly number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return [at(0.5), at(0.99), at(1)].map((value) => value.toFixed(1))
}
