import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { createTenantryAdmin } from '../../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import { until } from '../until.ts'
import { createFailingDisk, type FailingDisk } from './failing-disk.ts'
import { databaseIn, type ServerProcess, startServer } from './server-process.ts'

const secrets = { adminKey: 'failing-disk-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }

/** Folders for databases, and servers on them; both are removed at the end. */
export interface DiskFixture {
  newFolder(): string
  start(folder: string, settings?: Readonly<Record<string, string>>): Promise<ServerProcess>
  close(): Promise<void>
}

export async function createDiskFixture(): Promise<DiskFixture> {
  const root = await mkdtemp(join(tmpdir(), 'tenantry-disk-'))
  const servers: ServerProcess[] = []
  let folders = 0
  return {
    newFolder() {
      const folder = join(root, `${++folders}`)
      mkdirSync(folder)
      return folder
    },
    async start(folder, settings = {}) {
      const server = await startServer(folder, secrets, settings)
      servers.push(server)
      return server
    },
    async close() {
      const alive = servers.filter(({ process }) => (process.exitCode ?? process.signalCode) === null)
      await Promise.all(alive.map((server) => server.end('SIGKILL')))
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** A disk that can fail; null where it is unavailable, with the reason in the output. */
export async function failingDisk(t: TestContext, folder: string): Promise<FailingDisk | null> {
  const disk = await createFailingDisk(folder)
  if (typeof disk !== 'string') return disk
  t.skip(disk)
  return null
}

export const statusOf = async ({ baseUrl }: ServerProcess, path: string): Promise<number> =>
  (await fetch(baseUrl + path)).status

/** A server with a tenant, and writes of its clients. */
export async function populate({ baseUrl }: ServerProcess) {
  const admin = createTenantryAdmin({ baseUrl, adminKey: secrets.adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Disk' })
  // Without events, so that the writes are those of the clients, and not their sealing.
  const modules = { auth: { methods: ['password', 'otp'] }, events: { detail: 'off' } }
  await admin.updateConfiguration({ tenantId }, modules)
  const { key } = await admin.createTenantKey({ tenantId }, {})
  const client = createTenantryClient({ baseUrl, tenantKey: key })
  let issued = 0

  /** The code, once the message is delivered and that is recorded. */
  async function delivered(otpId: string): Promise<string> {
    let code: string | null | undefined
    await until(async () => {
      const { messages } = await admin.listTestingChannelMessages({ otpId })
      code = messages[0]?.code
      return Boolean(code)
    })
    return code!
  }

  return {
    key,
    client,
    /** A write whose message is delivered by another write. */
    issue: () => client.issueOtp({ scope: 'otp_signin', email: `disk-${++issued}@example.com` }),
    delivered,
    async verifiedReset(email: string): Promise<string> {
      await client.signUp({ method: 'password', email, password: 'long enough', profile: {} })
      const { id } = await client.resetPassword({ step: 'challenge', email })
      await client.verifyOtp({ id, scope: 'reset_password', code: await delivered(id) })
      return id
    },
  }
}

/** A write and its answer. */
export async function rawIssue({ baseUrl }: ServerProcess, key: string) {
  const answer = await fetch(`${baseUrl}/otp`, {
    method: 'POST',
    headers: { 'x-tenant-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ scope: 'otp_signin', email: 'refused@example.com' }),
  })
  const { error } = (await answer.json()) as { error?: { code: string } }
  return { status: answer.status, code: error?.code, retryAfter: answer.headers.get('retry-after') }
}

/** Commits on another connection, so that all cached pages are read again. */
export function touch(folder: string): void {
  using database = new DatabaseSync(databaseIn(folder), { timeout: 5000 })
  database.exec('PRAGMA user_version = 1')
}
