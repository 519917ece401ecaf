import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registeredStatements } from '../statement.ts'
import { probes } from '../suite/isolation.testkit.ts'
import type { Probe } from '../suite/isolation-calls.testkit.ts'
import { eachUnbound, type UnboundStatement } from '../suite/tenant-bindings.testkit.ts'
import { twoLogs } from '../suite/two-logs.testkit.ts'
import { seedTwoTenants } from '../suite/two-tenants.testkit.ts'
import type { SqliteHooks } from './connection.ts'
import { dumpFile, executeOn } from './open-storage.testkit.ts'
import { openSqliteStorage } from './sqlite-storage.ts'
import { sqliteText } from './sqlite-text.ts'

/** Mutants that are equivalent to their statement, and why. */
const equivalent = new Map([
  ...['caller.key: 2', 'caller.session: 5'].map((place): [string, string] => [
    `${place}. k.tenant_id = $1`,
    'ids of keys are unique across tenants',
  ]),
  ['erase.tenant_keys: 1. tenant_id = $1', 'ids of keys are unique across tenants, and only one tenant’s are erased'],
  ...['event_heads', 'tenant_totals'].map((table): [string, string] => [
    `erase.${table}: 1. tenant_id = $1`,
    'its key is the tenant',
  ]),
  ...['subject', 'actor'].map((role): [string, string] => [
    `eventErasure.eraseNewestBy_${role}: 2. tenant_id = $1`,
    'it selects how many are erased at once; the rest is erased later',
  ]),
  ['eventLog.dropUnusedHead: 1. tenant_id = $1', 'no transaction commits a head without batches'],
  ['sqlite.eventQueue.take: 1. tenant_id = $1', 'row ids are unique across tenants'],
  ['sqlite.eventQueue.oldestOfLog: 1. tenant_id = $1', 'each event is then taken by its tenant and row id'],
  ['sqlite.profile.nextVersion: 1. tenant_id = $1', 'the profiles of each version are then counted within the tenant'],
  ...['place', 'placeOfSubject', 'placeOfActor'].map((name): [string, string] => [
    `eventLog.${name}: 1. tenant_id = $1`,
    'it selects where a list pauses, which its results do not depend on',
  ]),
  ...['3. tenant_id = $1', '6. tenant_id = $1'].map((place): [string, string] => [
    `eventLog.outside: ${place}`,
    'the number of a row is never null, unless the schema was changed',
  ]),
  ...['2. users.tenant_id = $1', '3. users.tenant_id = $1'].map((place): [string, string] => [
    `erasedEvents.unexplained: ${place}`,
    'ids of users are unique across tenants',
  ]),
  ...['Email', 'Phone'].map((kind): [string, string] => [
    `user.placeBy${kind}: 1. tenant_id = $1`,
    'it selects where a search pauses, which its results do not depend on',
  ]),
  ...['place', 'placeUnsent'].map((name): [string, string] => [
    `message.${name}: 1. tenant_id = $1`,
    'it selects where a list pauses, which its results do not depend on',
  ]),
  ['profileSearch.position: 1. tenant_id = $1', 'it selects where a search pauses, which its results do not depend on'],
  ...['3. e.tenant_id = $1', '4. f.tenant_id = $1'].map((place): [string, string] => [
    `user.findByEmailOrFirst: ${place}`,
    'the row is looked up within the tenant, and its address is compared',
  ]),
])

/** Runs a probe on a copy of the seeded file. */
async function probeCopy(template: string, probe: Probe, hooks: SqliteHooks): Promise<void> {
  const path = `${template}.copy`
  await copyFile(template, path)
  const storage = await openSqliteStorage({ path, hooks })
  try {
    await probe({ storage, dump: async () => dumpFile(path), execute: async () => {}, close: async () => {} })
  } finally {
    await storage.close()
    await rm(path)
  }
}

/** The probes that run each statement, by its name. The other probes cannot detect its mutants. */
async function probesOfStatements(template: string): Promise<Map<string, Probe[]>> {
  const running = new Map<string, Probe[]>()
  for (const probe of Object.values(probes).flat()) {
    const names = new Set<string>()
    await probeCopy(template, probe, { onStatement: (name) => names.add(name) })
    for (const name of names) running.set(name, [...(running.get(name) ?? []), probe])
  }
  return running
}

async function survives(template: string, mutant: UnboundStatement, candidates: readonly Probe[]): Promise<boolean> {
  const rewrite = (name: string, sql: string) => (name === mutant.name ? mutant.sql : sql)
  for (const probe of candidates) {
    try {
      await probeCopy(template, probe, { rewrite })
    } catch {
      return false
    }
  }
  return true
}

test('a tenant isolation check fails when any tenant predicate is removed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-mutants-'))
  const template = join(folder, 'template.db')
  const seeded = await openSqliteStorage({ path: template })
  await seedTwoTenants(seeded)
  await seeded.close()
  addOldRows(template)
  executeOn(template, twoLogs)

  const probesByStatement = await probesOfStatements(template)
  // SQLite has others instead.
  const ofOtherEngines = /^(eventQueue\.|profile\.countByVersion$)/
  const all = [...eachUnbound(registeredStatements().filter(({ name }) => !ofOtherEngines.test(name)))]
  assert.ok(all.length > 100, `${all.length} mutants`)
  const survivors: string[] = []
  for (const mutant of all) {
    requireValid(template, mutant)
    if (await survives(template, mutant, probesByStatement.get(mutant.name) ?? [])) {
      survivors.push(`${mutant.name}: ${mutant.binding}`)
    }
  }
  await rm(folder, { recursive: true })
  const unnoticed = survivors.filter((survivor) => !equivalent.has(survivor)).join(', ')
  assert.equal(
    unnoticed,
    '',
    `${unnoticed} can be removed; add calls to foreign-calls.testkit.ts and shared-calls.testkit.ts in server/storage/suite`,
  )
  assert.deepEqual(survivors.toSorted(), [...equivalent.keys()].toSorted())
})

/** Rows that no store writes anymore, but that are still erased with their tenant. */
function addOldRows(path: string): void {
  const database = new DatabaseSync(path)
  const add = database.prepare('INSERT INTO tenant_origins (tenant_id, origin) VALUES (?, ?)')
  let places = 1
  const post = database.prepare(
    "INSERT INTO inbox (tenant_id, place, id, delivery_method, recipient, sealed, created_at) VALUES (?, ?, ?, 'email', '', '', 0)",
  )
  for (const tenant of ['A', 'B']) {
    for (const origin of [`https://${tenant.toLowerCase()}.example`, 'https://both.example']) add.run(tenant, origin)
    for (const id of [tenant, 'both']) post.run(tenant, places++, id)
  }
  database.close()
}

/** A mutant must fail because of what it does, not because it is invalid SQL. */
function requireValid(path: string, { sql }: UnboundStatement): void {
  const database = new DatabaseSync(path)
  database.prepare(sqliteText(sql))
  database.close()
}
