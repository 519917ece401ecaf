import { fillPostgres, fillSqlite, measurePages, serve } from './filled-database.ts'
import { cities, oldest, searchRows, youngest } from './search-rows.ts'
import { row } from './table.ts'
import { laterPage, pathOf, type Query } from './user-pages.ts'

/** Different requests of each search, so that they read different pages of the index. */
const samples = 100

const city = (sample: number): Query => ({ 'profile.city': `city ${(sample * 61) % cities}` })
const name = (sample: number): Query => ({
  'profile.name.prefix': String.fromCharCode(97 + (sample % 26), 97 + ((sample * 7) % 26)),
})
const age = (sample: number): Query => {
  const from = youngest + ((sample * 3) % (oldest - youngest - 10))
  return { 'profile.age.min': String(from), 'profile.age.max': String(from + 9) }
}

/** The searches by what they do, each as a function of the sample. */
const searches: Readonly<Record<string, (sample: number) => Query>> = {
  equality: city,
  prefix: name,
  range: age,
  'equality, equality': (sample) => ({ ...city(sample), 'profile.plan': 'pro' }),
  'equality, range': (sample) => ({ ...city(sample), ...age(sample) }),
  'prefix, equality': (sample) => ({ ...name(sample), 'profile.plan': 'pro' }),
  'range, equality': (sample) => ({ ...age(sample), 'profile.plan': 'pro' }),
}

/**
 * `npm run bench -- search`: searches users by profile fields, first pages of 50 and later ones, one request at a time, with
 * this many users on SQLite and a tenth of them on PostgreSQL.
 */
export async function benchSearch(options: { users: number; rounds: number; seconds: number }): Promise<void> {
  const { users, rounds, seconds } = options
  console.log(`\none connection, ${rounds} rounds of ${seconds} s each, medians of p50 and p99 in ms`)
  const engines = { SQLite: [fillSqlite, users], PostgreSQL: [fillPostgres, Math.ceil(users / 10)] } as const
  for (const [engine, [fill, count]] of Object.entries(engines)) {
    console.log(row(`\n${engine}, ${count} users`, 'first', 'p99', 'later', 'p99'))
    const { url, dispose } = await fill(searchRows(count))
    const child = await serve(url)
    try {
      for (const [search, queryOf] of Object.entries(searches)) {
        const queries = Array.from({ length: samples }, (_, sample) => queryOf(sample))
        const later = await Promise.all(queries.map((query) => laterPage(child, query)))
        const first = await measurePages(child, queries.map(pathOf), rounds, seconds)
        const next = await measurePages(child, later.map(pathOf), rounds, seconds)
        console.log(row(search, ...[first.p50, first.p99, next.p50, next.p99].map((cell) => cell.toFixed(1))))
      }
    } finally {
      await child.stop()
      await dispose()
    }
  }
}
