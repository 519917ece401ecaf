import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { type ServerProcess, startServer } from '../support/faults/server-process.ts'

const adminKey = 'two-processes-admin-key-of-32-characters'
const masterKeys = generateMasterKeys(0)

let postgres: PostgresServer
let folder: string
let databaseUrl: string
const servers: ServerProcess[] = []
before(async () => {
  postgres = await startPostgres()
  databaseUrl = await postgres.createDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-counts-'))
  for (let index = 0; index < 2; index++) servers.push(await start())
})
after(async () => {
  for (const server of servers) server.process.kill('SIGKILL')
  await postgres.close()
  await rm(folder, { recursive: true })
})

const start = () => startServer(folder, { adminKey, masterKeys }, { DATABASE_URL: databaseUrl })
const adminOf = ({ baseUrl }: ServerProcess) => createTenantryAdmin({ baseUrl, adminKey })

async function newTenant() {
  const admin = adminOf(servers[0]!)
  const { id: tenantId } = await admin.createTenant({ name: 'Counted' })
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['guest', 'otp'] } })
  const { key: tenantKey } = await admin.createTenantKey({ tenantId }, {})
  return {
    async act({ baseUrl }: ServerProcess): Promise<void> {
      const client = createTenantryClient({ baseUrl, tenantKey })
      const { accessToken } = await client.signIn({ method: 'guest' })
      await client.signIn({ method: 'guest' })
      await client.withSession(accessToken).signOut({ scope: 'this' })
      await client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' })
    },
    async shown(server: ServerProcess) {
      const { totals, days } = await adminOf(server).getTenantStatistics({ tenantId })
      const { codes } = days.at(-1)!
      return { codes, users: totals!.users, guests: totals!.guests, openSessions: totals!.openSessions }
    },
  }
}

const rounds = 6

test('two processes on one database count together exactly, while both write at once', async () => {
  const tenant = await newTenant()
  const acts = servers.flatMap((server) =>
    Array.from({ length: rounds }, async () => {
      await tenant.act(server)
      // Each read writes what its process has counted.
      await tenant.shown(server)
    }),
  )
  await Promise.all(acts)
  // Each process has written its own counts last.
  for (const server of servers) await tenant.shown(server)
  const n = 2 * rounds
  const expected = { codes: n, users: 2 * n, guests: 2 * n, openSessions: n }
  for (const server of servers) assert.deepEqual(await tenant.shown(server), expected)
})

test('a process that stops writes its counts; one that is killed loses at most what it had not written', async () => {
  const tenant = await newTenant()
  const [one, other] = servers as [ServerProcess, ServerProcess]
  await tenant.act(one)
  await tenant.act(other)
  assert.equal(await one.end('SIGTERM'), 0)
  assert.deepEqual(await tenant.shown(other), { codes: 2, users: 4, guests: 4, openSessions: 2 })

  servers[0] = await start()
  await tenant.act(servers[0])
  await tenant.act(other)
  // The kill hits the flush of this read at any point.
  const flushing = tenant.shown(servers[0]).catch(() => {})
  await servers[0].end('SIGKILL')
  await flushing
  const { codes, users } = await tenant.shown(other)
  assert.ok(codes === 3 || codes === 4, `${codes}`)
  assert.ok(users === 6 || users === 8, `${users}`)
})
