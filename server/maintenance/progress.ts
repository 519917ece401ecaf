import { setImmediate as afterEvents } from 'node:timers/promises'

/** Receives the progress of a table after each batch; `total` is an estimate, and 0 when unknown. */
export type WatchTable = (table: string, done: number, total: number) => void

/** Passes the rows of a table through and reports them. */
export async function* watchRows<Row>(
  rows: AsyncGenerator<readonly Row[]>,
  { table, total, watch }: { readonly table: string; readonly total: number; readonly watch: WatchTable },
): AsyncGenerator<readonly Row[]> {
  let done = 0
  for await (const batch of rows) {
    yield batch
    done += batch.length
    watch(table, done, total)
  }
}

/** Passes the rows of a table through until the signal aborts, which is an error. SQLite is read without pauses for signals. */
export async function* untilAborted<Row>(
  rows: AsyncGenerator<readonly Row[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Row[]> {
  for await (const batch of rows) {
    await afterEvents()
    signal?.throwIfAborted()
    yield batch
  }
}
