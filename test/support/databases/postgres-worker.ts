import pg from 'pg'
import type { PostgresAnswer, PostgresQuestion } from './ask-postgres.ts'
import { answerQuestions } from './blocking-worker.ts'

/** BIGINT and NUMERIC, which `pg` returns as text; all values here fit a number. */
const numbers = [20, 1700]
const types = {
  getTypeParser: ((oid: number) => (numbers.includes(oid) ? Number : pg.types.getTypeParser(oid))) as never,
}
const clients = new Map<string, Promise<pg.Client>>()

async function connect(url: string): Promise<pg.Client> {
  // A lock of a service on the waiting thread would never be released.
  const client = new pg.Client({ connectionString: url, types, options: '-c lock_timeout=5s' })
  // The server may end before this thread does.
  client.on('error', () => clients.delete(url))
  await client.connect()
  return client
}

async function answerTo({ url, sql, parameters }: PostgresQuestion): Promise<PostgresAnswer> {
  try {
    const client = clients.get(url) ?? connect(url)
    clients.set(url, client)
    const asked = (await client).query(sql, parameters.length > 0 ? [...parameters] : undefined)
    const results: pg.QueryResult | pg.QueryResult[] = await asked
    return { rows: [results].flat().map(({ rows }) => rows) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

// The thread of `askPostgres`: one open connection per URL.
answerQuestions(answerTo)
