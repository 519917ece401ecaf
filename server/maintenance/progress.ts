import type { Row } from './tables.ts'

/** Tells how far a copy is: a line a table that has rows, and one a second within it. */
export interface Progress {
  /** Rows that have passed, of all tables. */
  readonly rows: number
  /** Hands the rows of a table on, and tells of them; `total` as far as is known. */
  watch(table: string, total: number, rows: AsyncGenerator<readonly Row[]>): AsyncGenerator<readonly Row[]>
}

const everyMs = 1000
const grouped = new Intl.NumberFormat('en').format

export function createProgress(tell: (line: string) => void): Progress {
  let passed = 0
  return {
    get rows() {
      return passed
    },
    async *watch(table, total, rows) {
      const begun = performance.now()
      let told = begun
      let here = 0
      const say = (now: number) => {
        const rate = (here / Math.max(now - begun, 1)) * 1000
        tell(`${table}: ${grouped(here)} of ${grouped(total)} rows, ${grouped(Math.round(rate))} a second`)
      }
      for await (const batch of rows) {
        yield batch
        here += batch.length
        passed += batch.length
        const now = performance.now()
        if (now - told < everyMs) continue
        told = now
        say(now)
      }
      if (total > 0) say(performance.now())
    },
  }
}
