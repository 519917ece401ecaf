import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dumpFile } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { type } from '../terminal/terminal.testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-copy-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

let files = 0

/** The path of a database that does not exist yet. */
export const newFile = (): string => join(folder, `${++files}.db`)

/** Runs SQL directly on a file. */
export function inFile(path: string, sql: string): void {
  using database = new DatabaseSync(path, { timeout: 5000 })
  database.exec(sql)
}

/** Runs a copy command. */
export const copy = (...words: string[]) => type(['copy', ...words], { folder })

/** Copies successfully and returns the report. */
export async function copies(...words: string[]): Promise<Record<string, number>> {
  const { exitCode, output, errors } = await copy('--json', ...words)
  assert.equal(exitCode, 0, errors)
  return JSON.parse(output)
}

/** Copies unsuccessfully and returns the error. */
export async function fails(...words: string[]): Promise<string> {
  const { exitCode, output, errors } = await copy(...words)
  assert.equal(exitCode, 1, errors)
  assert.equal(output, '')
  return errors
}

/** All rows except those of the schema's own tables. */
export const rowsOf = (path: string) =>
  Object.fromEntries(Object.entries(dumpFile(path)).filter(([table]) => !table.startsWith('schema_')))

/** A database file with two tenants, `a` and `b`. */
export async function newDeployment(): Promise<string> {
  const path = newFile()
  await (await openSqliteStorage({ path })).close()
  const tenant = (id: string) =>
    `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, profile_schema_version, created_at, updated_at)
     VALUES ('${id}', 'Name of ${id}', 0, '[]', 1, '1', 1767225600000, 9007199254740991);`
  inFile(path, tenant('a') + tenant('b'))
  return path
}

/** Adds users `u1`, `u2`, …, each with an address. */
export const addUsers = (path: string, tenant: string, count: number) =>
  inFile(
    path,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO users (tenant_id, id, email, guest, restricted_capabilities, created_at, updated_at)
     SELECT '${tenant}', 'u' || n, 'user' || n || '@example.com', 0, '[]', n, n FROM numbers`,
  )

/** The error of whatever is given an incomplete copy. */
export const incomplete = (what: string) => ({
  message: new RegExp(`^${what} is an incomplete copy\\. Run "tenantry copy" again, which completes it\\.`),
})
