import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registeredStatements } from '../statement.ts'
import { checkErasure, checkForeignIds, checkSharedIds } from '../suite/isolation.ts'
import { seedTwoTenants } from '../suite/two-tenants.ts'
import { dumpFile } from './open-test-storage.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

/** A condition that binds rows to a tenant, or a table's rows to those of another table of the same tenant. */
const bindings =
  /(?:\w+\.)?tenant_id = (?:\$\d+|\w+\.(?:tenant_id|id))|\b(?:\w+\.)?id = (?:\w+\.tenant_id|\$1(?= AND (?:\w+\.)?deleted_at))/g

/** Mutants that do the same as the statement, and why. */
const equivalent = new Map([
  [
    'erase.tenant_keys: 1st tenant_id = $1',
    'ids of keys are unique across tenants, and those to erase are one tenant’s',
  ],
])

interface Mutant {
  readonly name: string
  readonly binding: string
  readonly sql: string
}

/** Every statement with one of its bindings removed. Its parameters stay, so that it fails by what it finds. */
function* mutants(): Generator<Mutant> {
  for (const { name, sql } of registeredStatements()) {
    for (const [index, match] of Array.from(sql.matchAll(bindings)).entries()) {
      const parameter = /\$\d+/.exec(match[0])?.[0] ?? "'x'"
      const truth = `CAST(${parameter} AS TEXT) = ${parameter}`
      const mutated = sql.slice(0, match.index) + truth + sql.slice(match.index + match[0].length)
      yield { name, binding: `${index === 0 ? '1st' : `${index + 1}th`} ${match[0]}`, sql: mutated }
    }
  }
}

/** The isolation checks of the suite, each on a copy of the seeded file; false when one of them fails. */
async function isolationHolds(template: string, folder: string, mutant: Mutant | null): Promise<boolean> {
  for (const check of [checkForeignIds, checkSharedIds, checkErasure]) {
    const path = join(folder, 'mutant.db')
    await copyFile(template, path)
    const rewrite = (name: string, sql: string) => (name === mutant?.name ? mutant.sql : sql)
    const storage = await openSqliteStorage({ path, hooks: { rewrite } })
    try {
      await check({ storage, dump: async () => dumpFile(path), close: async () => {} })
    } catch (error) {
      if (mutant === null) throw error
      return false
    } finally {
      await storage.close()
      await rm(path)
    }
  }
  return true
}

test('without any one of its tenant predicates some check of tenant isolation fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-mutants-'))
  const template = join(folder, 'template.db')
  const seeded = await openSqliteStorage({ path: template })
  await seedTwoTenants(seeded)
  await seeded.close()

  assert.equal(await isolationHolds(template, folder, null), true, 'unchanged, every check holds')
  const all = [...mutants()]
  assert.ok(all.length > 50, `${all.length} mutants`)
  const survivors: string[] = []
  for (const mutant of all) {
    requireValid(template, mutant)
    if (await isolationHolds(template, folder, mutant)) survivors.push(`${mutant.name}: ${mutant.binding}`)
  }
  await rm(folder, { recursive: true })
  assert.deepEqual(survivors, [...equivalent.keys()])
})

/** A mutant must fail for what it does, not for being no SQL. */
function requireValid(path: string, { sql }: Mutant): void {
  const database = new DatabaseSync(path)
  database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'))
  database.close()
}
