import type { Row } from './tables.ts'

/** Reports the progress of a copy: one line per table with rows, and one per second within a table. */
export interface Progress {
  /** Rows processed in all tables. */
  readonly rows: number
  /** Passes the rows of a table through and reports them; `total` is an estimate. */
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
