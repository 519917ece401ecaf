import assert from 'node:assert/strict'
import { constants, DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { registeredStatements } from '../statement.ts'
import { openTestStorage } from './open-storage.testkit.ts'
import { sqliteText } from './sqlite-text.ts'

/** Runs these twice with other values; returns the names of those that SQLite prepared again. */
function preparedAgain(database: DatabaseSync, statements: readonly { name: string; text: string }[]): string[] {
  let authorized = 0
  database.setAuthorizer(() => {
    authorized++
    return constants.SQLITE_OK
  })
  return statements
    .filter(({ text }) => {
      const statement = database.prepare(text)
      const parameters = new Set(text.match(/\?\d+/g)).size
      authorized = 0
      for (const value of [1, 2]) {
        try {
          statement.all(...Array(parameters).fill(value))
        } catch {
          // A constraint refuses these values, after the statement was prepared again.
        }
      }
      return authorized > 0
    })
    .map(({ name }) => name)
}

test('SQLite prepares each statement once, whatever its parameters are', async () => {
  const { path, close } = await openTestStorage()
  const database = new DatabaseSync(path)
  const statements = registeredStatements().filter(({ sql }) => /^(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(sql))
  assert.ok(statements.length > 300)
  assert.deepEqual(
    preparedAgain(
      database,
      statements.map(({ name, sql }) => ({ name, text: sqliteText(sql) })),
    ),
    [],
  )
  const bareLimit = { name: 'bare limit', text: 'SELECT id FROM tenants ORDER BY id LIMIT ?1' }
  assert.deepEqual(preparedAgain(database, [bareLimit]), ['bare limit'])
  database.close()
  await close()
})
