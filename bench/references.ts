import { hash } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { type Child, startChild } from './child.ts'
import { benchCode, emailOf, firstProfile, otpIdOf, sessionIdOf, userIdOf, userOfSession } from './people.ts'
import { seal } from './reference-database.ts'
import { sqliteRows } from './rows.ts'
import type { Service } from './service.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The servers that the service is compared to, each in its own process. */
export interface References extends AsyncDisposable {
  /** `reference-server.ts` on a database with the same users, by its `synchronous`. */
  readonly 'floor FULL': Child
  readonly 'floor NORMAL': Child
  /** `bare-server.ts`: the ceiling of the runtime. */
  readonly bare: Child
  /** `hash-server.ts`. */
  readonly 'hash alone': Child
}

export async function startReferences(service: Service): Promise<References> {
  const folder = temporaryFolder()
  const floor = async (synchronous: 'FULL' | 'NORMAL') => {
    const path = join(folder, `${synchronous}.db`)
    const server = await start('bench/reference-server.ts', '/healthz', path, synchronous)
    await fill(path, service)
    return server
  }
  const [full, normal] = [await floor('FULL'), await floor('NORMAL')]
  const bare = await start('bench/bare-server.ts', '/200/2')
  const hashAlone = await start('bench/hash-server.ts', '/verify')
  return {
    ...{ 'floor FULL': full, 'floor NORMAL': normal, bare, 'hash alone': hashAlone },
    async [Symbol.asyncDispose]() {
      await Promise.all([full, normal, bare, hashAlone].map((server) => server.stop()))
    },
  }
}

async function start(script: string, ready: string, ...args: string[]): Promise<Child> {
  const port = await freePort()
  return startChild(port, [script, String(port), ...args], {}, ready)
}

/** The tenant, users, sessions and one-time passwords of the service, so that both get the same requests. */
async function fill(path: string, { baseUrl, tenant, people }: Service): Promise<void> {
  const rows = sqliteRows(path)
  const { tenantId, tenantKey } = tenant
  const now = Date.now()
  const answer = await fetch(`${baseUrl}/tenant-configuration`, { headers: { 'x-tenant-key': tenantKey } })
  const configuration = await answer.text()
  const users = Array.from({ length: people.users }, (_, user) => user)
  await rows.insert('tenants', [{ id: tenantId, key_hash: hash('sha256', tenantKey, 'hex'), configuration }])
  await rows.insert(
    'users',
    users.map((user) => ({ tenant_id: tenantId, id: userIdOf(user), email: emailOf(user) })),
  )
  await rows.insert(
    'profiles',
    users.map((user) => ({ tenant_id: tenantId, user_id: userIdOf(user), content: firstProfile, updated_at: now })),
  )
  await rows.insert(
    'sessions',
    Array.from({ length: people.sessions }, (_, session) => ({
      tenant_id: tenantId,
      id: sessionIdOf(session),
      user_id: userIdOf(userOfSession(session, people)),
    })),
  )
  await rows.insert(
    'otps',
    users.map((user) => ({
      tenant_id: tenantId,
      id: otpIdOf(user),
      scope: 'otp_signin',
      state: 'pending',
      user_id: userIdOf(user),
      recipient: emailOf(user),
      sealed_code: seal(benchCode, `code ${otpIdOf(user)}`),
      max_resends: 1_000_000,
      resend_count: 0,
      created_at: now,
      expires_at: now + 86_400_000,
      last_sent_at: now,
    })),
  )
  await rows.close()
}
