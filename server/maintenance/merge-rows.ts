import { batchSize, compareKeys, type Row, sameRow, sizeOf, type Table } from './tables.ts'

/**
 * Those of `rows` that `others` has not, or has with other values. Both come in the order of their keys; `others` is
 * not read before there is something to look for.
 */
export async function* rowsMissingFrom(
  others: AsyncGenerator<readonly Row[]>,
  rows: AsyncGenerator<readonly Row[]>,
  { keyLength }: Table,
): AsyncGenerator<Row> {
  const candidates = eachRow(others)
  const next = async (): Promise<Row | null> => (await candidates.next()).value ?? null
  let candidate: Row | null = null
  let isBegun = false
  try {
    for await (const row of eachRow(rows)) {
      if (!isBegun) candidate = await next()
      isBegun = true
      while (candidate !== null && compareKeys(candidate, row, keyLength) < 0) candidate = await next()
      if (candidate === null || !sameRow(candidate, row)) yield row
    }
  } finally {
    await candidates.return(undefined)
  }
}

/** Rows in batches that a transaction each takes. */
export async function* inBatches(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = []
  let size = 0
  for await (const row of rows) {
    batch.push(row)
    size += sizeOf(row)
    if (size < batchSize.characters && batch.length < batchSize.rows) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

async function* eachRow(batches: AsyncGenerator<readonly Row[]>): AsyncGenerator<Row> {
  for await (const batch of batches) yield* batch
}
