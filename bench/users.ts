import { fillPostgres, fillSqlite, measurePages, serve } from './filled-database.ts'
import { idOf } from './generated-rows.ts'
import { row } from './table.ts'
import { laterPage, pathOf, type Query } from './user-pages.ts'
import { userRows } from './user-rows.ts'

/** Different requests of each list, so that they read different pages of the index. */
const samples = 100

type Fraction = number

/** The cursor after the user at a fraction of all users. */
const cursorAt = (at: Fraction, users: number) => ({
  cursor: Buffer.from(idOf('SEED', Math.min(users - 1, Math.floor(at * users)))).toString('base64url'),
})

/** The lists that are read at any depth. */
const lists: Readonly<Record<string, Query>> = {
  oldest: {},
  newest: { order: 'newest' },
  'newest suspended': { order: 'newest', state: 'suspended' },
  'newest restricted': { order: 'newest', state: 'restricted' },
  'newest guests': { order: 'newest', state: 'guest' },
  'newest unverified': { order: 'newest', state: 'unverified' },
}

/** Searches, each as a function of the sample. */
const searches: Readonly<Record<string, (sample: number) => Query>> = {
  'address, 3 digits': (sample) => ({ q: `user${100 + ((sample * 37) % 900)}` }),
  'address, all users': () => ({ q: 'user' }),
  number: (sample) => ({ q: `+3300${sample % 10}${(sample * 7) % 10}` }),
  'address, suspended': (sample) => ({ q: `user${10 + ((sample * 37) % 90)}`, state: 'suspended' }),
  'nothing found': (sample) => ({ q: `unknown${sample}` }),
}

/**
 * `npm run bench -- users`: pages of 50 users at the beginning, in the middle and near the end of each list, and searches,
 * one request at a time, with this many users on both engines.
 */
export async function benchUsers(options: { users: number; rounds: number; seconds: number }): Promise<void> {
  const { users, rounds, seconds } = options
  console.log(`\none connection, ${rounds} rounds of ${seconds} s each, medians of p50 and p99 in ms`)
  for (const [engine, fill] of Object.entries({ SQLite: fillSqlite, PostgreSQL: fillPostgres })) {
    const { url, dispose } = await fill(userRows(users))
    const child = await serve(url)
    const measure = async (queries: readonly Query[]) => {
      const { p50, p99 } = await measurePages(child, queries.map(pathOf), rounds, seconds)
      return [p50.toFixed(1), p99.toFixed(1)]
    }
    try {
      console.log(row(`\n${engine}, ${users} users`, 'first', 'p99', 'middle', 'p99', 'deep', 'p99'))
      for (const [list, query] of Object.entries(lists)) {
        const at = (from: Fraction) =>
          measure(Array.from({ length: samples }, (_, n) => ({ ...query, ...cursorAt(from + n / 1_000, users) })))
        const [middle, deep] = [await at(0.5), await at(query['order'] === 'newest' ? 0.01 : 0.89)]
        console.log(row(list, ...(await measure([query])), ...middle, ...deep))
      }
      console.log(row('', 'first', 'p99', 'later', 'p99'))
      for (const [search, queryOf] of Object.entries(searches)) {
        const queries = Array.from({ length: samples }, (_, sample) => queryOf(sample))
        const later = await Promise.all(queries.map((query) => laterPage(child, query)))
        console.log(row(search, ...(await measure(queries)), ...(await measure(later))))
      }
    } finally {
      await child.stop()
      await dispose()
    }
  }
}
