import { type TestContext, test } from 'node:test'
import { onPostgres } from './test-database.ts'

/** `test` for what is about SQLite alone: on PostgreSQL it is skipped, for this reason. */
export const testOnSqliteAlone =
  (reason: string) =>
  (name: string, work: (context: TestContext) => Promise<void>): void => {
    test(name, { skip: onPostgres && reason }, work)
  }
