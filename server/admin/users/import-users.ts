import { ExportEnd, type ImportLine, type importUsers as operation } from '../../../contract/admin/user-lines.ts'
import { errors } from '../../../contract/errors.ts'
import { isSuspended } from '../../accounts/restriction.ts'
import type { BodyLine, Handler } from '../../core/handler.ts'
import { record } from '../../events/record.ts'
import { recordEnd } from '../../events/record-end.ts'
import { aTenant } from '../../events/subjects.ts'
import { isFastDigest } from '../../passwords/imported/digest.ts'
import { versionsToIndexFirst } from '../../profiles/index/index-changes.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { type ImportTarget, previewOf } from './import-preview.ts'
import { type CheckedRow, checkRow } from './import-row.ts'
import { allAtOnce, oneByOne, type Result, RowRefused, type StoreRows, storeRow } from './store-rows.ts'

/** Rows per transaction: other writes wait about 4 ms, and many rows share a COMMIT. */
const batchSize = 20
const progressEvery = 1000

/**
 * `POST /admin/tenants/{t}/users/import`: rows are checked as they arrive and stored in batches, one transaction each.
 * The error of a row is reported and does not stop the import. Fast digests are stored as given; the background pass in
 * `wrap-digests.ts` starts with the first batch. With `dryRun` the same work runs on stores that keep nothing.
 */
export const importUsers: Handler<typeof operation> = async (
  { params: { tenantId }, query: { dryRun }, lines },
  call,
  { storage, snapshots, hasher, digestWrapping, profileBytes, clock, counts, logger },
) => {
  const { now, refuse } = call
  const { tenant, stores } = await getManagedTenant(storage, tenantId, refuse)
  const rules = { snapshot: await snapshots.of(tenant), now, profileBytes, hashMemoryMiB: hasher.budgetMiB }

  const preview = dryRun === 'true' ? previewOf(stores) : null
  let isRecorded = false

  async function importBatch(batch: readonly BodyLine[]): Promise<Result[]> {
    const checked = batch.map((line) => ({ line: line.line, ...checkLine(line) }))
    async function storeAll(target: ImportTarget, storeRows: StoreRows): Promise<Result[]> {
      // A tenant deleted in the meantime must not get rows after its rows were erased.
      const versions = await versionsToIndexFirst(target, rules.snapshot)
      if (versions === null) throw refuse('TENANT_NOT_FOUND')
      return storeRows(checked, (row) => storeRow(target, row, versions, call))
    }
    if (preview !== null) {
      await preview.readAhead(checked.flatMap(({ row }) => row ?? []))
      return storeAll(preview, oneByOne)
    }
    // The transaction may be retried, so each attempt collects its own results.
    const storeBatch = (storeRows: StoreRows) =>
      stores.write(async (tx) => {
        const results = await storeAll(tx, storeRows)
        if (!isRecorded && results.some(isStored)) {
          await record(tx, call, { type: 'users.import_started', subject: aTenant(tenantId) })
        }
        return results
      })
    const results = await storeBatch(allAtOnce).catch((error: unknown) => {
      if (error instanceof RowRefused) return storeBatch(oneByOne)
      throw error
    })
    isRecorded ||= results.some(isStored)
    const users = checked.flatMap(({ row }, index) => (row && isStored(results[index]!) ? [row.user] : []))
    counts.add(tenantId, 'users', users.length)
    counts.add(tenantId, 'guests', users.filter(({ guest }) => guest).length)
    counts.add(tenantId, 'suspended', users.filter((user) => isSuspended(user, now)).length)
    if (checked.some(({ row }) => row?.passwordHash && isFastDigest(row.passwordHash))) digestWrapping.wake()
    return results
  }

  const checkLine = (line: BodyLine): CheckedRow =>
    line.value === undefined
      ? {
          problem: {
            code: 'VALIDATION_ERROR',
            message: errors.VALIDATION_ERROR.message,
            validation: { body: line.problem },
          },
        }
      : checkRow(line.value, rules)

  /** The end of an import that stored something: after the last line, a failure, or when the client has gone. */
  async function noteEnd({ imported, failed }: Counts, complete: boolean): Promise<void> {
    if (!isRecorded) return
    const end = { type: 'users.imported', subject: aTenant(tenantId), details: { imported, failed, complete } } as const
    await recordEnd((at) => stores.write((tx) => record(tx, { ...call, now: at }, end)), { clock, logger })
  }

  return reportOf(lines, importBatch, noteEnd)
}

interface Counts {
  read: number
  imported: number
  failed: number
}

const isStored = ({ problem }: Result): boolean => problem === null

async function* reportOf(
  lines: AsyncIterable<BodyLine>,
  importBatch: (batch: readonly BodyLine[]) => Promise<Result[]>,
  onEnd: (counts: Counts, complete: boolean) => Promise<void>,
): AsyncGenerator<ImportLine> {
  const counts: Counts = { read: 0, imported: 0, failed: 0 }
  let complete = false
  try {
    for await (const batch of inBatches(rowsOf(lines))) {
      const results = await importBatch(batch)
      for (const { problem } of results) counts[problem === null ? 'imported' : 'failed']++
      counts.read += results.length
      for (const { line, problem } of results) if (problem !== null) yield { error: { line, ...problem } }
      if (counts.read % progressEvery === 0) yield { progress: { ...counts } }
    }
    complete = true
  } finally {
    await onEnd(counts, complete)
  }
  yield { done: counts }
}

/** All lines but the last one of an export, which a file has that was saved without the tool. */
async function* rowsOf(lines: AsyncIterable<BodyLine>): AsyncGenerator<BodyLine> {
  for await (const line of lines) if (!ExportEnd.safeParse(line.value).success) yield line
}

async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
