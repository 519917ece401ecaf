import { type TestContext, test } from 'node:test'
import { onPostgres } from './open-database.ts'

/** `test` for behaviour of SQLite; skipped on PostgreSQL, with this reason. */
export const testOnSqliteAlone =
  (reason: string) =>
  (name: string, work: (context: TestContext) => Promise<void>): void => {
    test(name, { skip: onPostgres && reason }, work)
  }
