import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { migrations } from '../migrations.ts'
import { newTenant, t0 } from '../suite/samples.testkit.ts'
import { dumpFile } from './open-storage.testkit.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

const storageModule = JSON.stringify(new URL('./sqlite-storage.ts', import.meta.url).href)

async function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-migrate-'))
  await work(join(folder, 'tenantry.db'))
  await rm(folder, { recursive: true })
}

/** Opens the database in another process, which kills itself at this COMMIT; resolves with its exit. */
async function openElsewhere(path: string, commits: number): Promise<string> {
  const program = `
    import { openSqliteStorage } from ${storageModule}
    let left = ${commits}
    const beforeCommit = () => { if (--left === 0) process.kill(process.pid, 'SIGKILL') }
    await (await openSqliteStorage({ path: ${JSON.stringify(path)}, hooks: { beforeCommit } })).close()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
  const [code, signal] = await once(child, 'exit')
  return signal ?? `exit ${code}`
}

const appliedIn = (path: string) => (dumpFile(path)['schema_migrations'] ?? []).map(({ id }) => id)
const allIds = migrations.map(({ id }) => id)

test('the next start completes migrations after a kill at any of them', () =>
  inFolder(async (path) => {
    // The first COMMIT is that of schema_migrations itself. Each further start completes one migration.
    assert.equal(await openElsewhere(path, 1), 'SIGKILL')
    assert.deepEqual(appliedIn(path), [])
    for (const [index] of migrations.entries()) {
      assert.equal(await openElsewhere(path, 3), 'SIGKILL', `at the migration after ${allIds[index]}`)
      assert.deepEqual(appliedIn(path), allIds.slice(0, index + 1))
      if (index + 2 === migrations.length) break
    }
    const storage = await openSqliteStorage({ path })
    await newTenant(storage)
    assert.equal(await storage.system.tenants.count(), 1)
    await storage.close()
    assert.deepEqual(appliedIn(path), allIds)
  }))

test('processes that start together on one file all succeed, and each migration runs once', () =>
  inFolder(async (path) => {
    const ends = await Promise.all(Array.from({ length: 4 }, () => openElsewhere(path, Number.MAX_SAFE_INTEGER)))
    assert.deepEqual(ends, Array(4).fill('exit 0'))
    assert.deepEqual(appliedIn(path), allIds)
  }))

test('opening an up-to-date database changes nothing', () =>
  inFolder(async (path) => {
    await (await openSqliteStorage({ path })).close()
    const before = dumpFile(path)
    await (await openSqliteStorage({ path })).close()
    assert.deepEqual(dumpFile(path), before)
  }))

test('refuses a database that is newer than the program, and does not change it', () =>
  inFolder(async (path) => {
    const newer = [...migrations, { id: '9999-future', steps: [() => 'CREATE TABLE future (id TEXT)'] }]
    await (await openSqliteStorage({ path, migrations: newer })).close()
    const before = dumpFile(path)
    await assert.rejects(openSqliteStorage({ path }), /newer than this program: unknown migrations 9999-future/)
    assert.deepEqual(dumpFile(path), before)
  }))

test('a failed migration is rolled back', () =>
  inFolder(async (path) => {
    const steps = [() => 'CREATE TABLE half (id TEXT)', () => 'CREATE TABLE half (id TEXT)']
    await assert.rejects(openSqliteStorage({ path, migrations: [...migrations, { id: '9999-broken', steps }] }), /half/)
    assert.deepEqual(appliedIn(path), allIds)
    assert.ok(!('half' in dumpFile(path)))
    await (await openSqliteStorage({ path })).close()
  }))

test('reads users and sessions of the first version', () =>
  inFolder(async (path) => {
    const first = await openSqliteStorage({ path, migrations: migrations.filter(({ id }) => id < '0006') })
    await first.close()
    const database = new DatabaseSync(path)
    database.exec(`
      INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, profile_schema_version, created_at, updated_at)
        VALUES ('t', 'Acme', 0, '[]', 1, '1', ${t0}, ${t0});
      INSERT INTO users (tenant_id, id, guest, restricted_capabilities, created_at, updated_at)
        VALUES ('t', 'u', 1, '["upload","sign_in"]', ${t0}, ${t0 + 1}), ('t', 'free', 1, '[]', ${t0 + 2}, ${t0 + 2});
      INSERT INTO sessions (tenant_id, id, user_id, refresh_hash, address, created_at, last_used_at, idle_expires_at, expires_at)
        VALUES ('t', 's', 'u', 'hash', '192.0.2.1', ${t0}, ${t0}, ${t0 + 5}, ${t0 + 5})`)
    database.close()

    const storage = await openSqliteStorage({ path })
    const { users, sessions } = storage.forTenant('t')
    const user = await users.find('u')
    const restrictions = (['upload', 'sign_in'] as const).map((capability) => ({
      capability,
      reason: null,
      until: null,
    }))
    assert.deepEqual([user?.restrictions, user?.suspension, user?.providers], [restrictions, null, []])
    assert.equal(user?.lastActiveAt, t0)
    assert.deepEqual(await users.idleGuests(t0 + 1, 9), ['u'])
    assert.deepEqual((await users.find('free'))?.restrictions, [])
    const session = await sessions.find('s')
    assert.deepEqual([session?.amr, session?.previousRefreshHash, session?.rotatedAt], [['pwd'], null, null])
    const device = { userAgent: null, network: '' }
    assert.equal(await sessions.rotate('s', { from: 'hash', to: 'next', now: t0, idleExpiresAt: t0 + 9, device }), true)
    await storage.close()
  }))
