import { startBlockingWorker } from './blocking-worker.ts'
import type { StoredRow, StoredValue } from './test-database.ts'

/** A query; several statements are possible only without parameters. */
export interface PostgresQuestion {
  readonly url: string
  readonly sql: string
  readonly parameters: readonly StoredValue[]
}

/** The rows of each statement, or the error. */
export type PostgresAnswer = { readonly rows: StoredRow[][] } | { readonly error: string }

const longestMs = 30_000

let ask: ReturnType<typeof startBlockingWorker<PostgresQuestion, PostgresAnswer>> | undefined

/**
 * Queries a server and blocks this thread until it answers, so that the services of this process stand still.
 * Throws the server's error, and on a wait for a row lock that such a service holds.
 */
export function askPostgres(url: string, sql: string, parameters: readonly StoredValue[]): StoredRow[][] {
  ask ??= startBlockingWorker(new URL('postgres-worker.ts', import.meta.url))
  const answer = ask({ url, sql, parameters }, longestMs)
  if ('error' in answer) throw new Error(`${sql}: ${answer.error}`)
  return answer.rows
}
