import { batchSize, compareKeys, type Row, sameRow, sizeOf, type Table } from './tables.ts'

/**
 * The rows of `rows` that are missing in `others` or differ there. Both are ordered by key; `others` is read only when
 * needed.
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

/** Rows in batches of one transaction each. */
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
