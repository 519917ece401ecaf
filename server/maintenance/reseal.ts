import { type Keyring, SealBroken } from '../secrets/keyring.ts'
import type { Executor } from '../storage/database.ts'
import { type WatchTable, watchRows } from './progress.ts'
import { type SealedKindName, type SealedRow, type SealedText, sealedRows } from './sealed-rows.ts'

/** The number of texts of each kind. */
export type SealedCounts = Readonly<Counting>
type Counting = Partial<Record<SealedKindName, number>>

/** The number of encrypted texts by key id. */
export interface SealedInventory {
  /** Texts that can be decrypted. */
  readonly open: ReadonlyMap<string, SealedCounts>
  /** Texts that cannot: the key is missing or different, or the text was altered. */
  readonly closed: ReadonlyMap<string, SealedCounts>
}

/** The result of re-encrypting. */
export interface ResealReport {
  readonly resealed: SealedCounts
  /** The inventory afterwards. */
  readonly left: SealedInventory
}

const keyIdOf = ({ sealed }: SealedText): string => sealed.slice(0, Math.max(sealed.indexOf('.'), 0))

/** Decrypts everything that is encrypted at `now`, epoch milliseconds. */
export async function takeInventory(
  executor: Executor,
  keyring: Keyring,
  now: number,
  watch: WatchTable = () => {},
): Promise<SealedInventory> {
  const counts = { open: new Map<string, Counting>(), closed: new Map<string, Counting>() }
  for await (const rows of watchRows(sealedRows(executor, now), { table: 'decrypting', total: 0, watch })) {
    for (const { kind, texts } of rows) {
      for (const text of texts) {
        const side = counts[open(keyring, text) === null ? 'closed' : 'open']
        side.set(keyIdOf(text), count(side.get(keyIdOf(text)) ?? {}, kind, 1))
      }
    }
  }
  return counts
}

/**
 * Re-encrypts everything that is encrypted with another key, while servers run. A row that has changed since it was read is
 * skipped and checked again.
 */
export async function resealAll(
  executor: Executor,
  keyring: Keyring,
  now: number,
  watch: WatchTable = () => {},
): Promise<ResealReport> {
  const resealed: Counting = {}
  let isContended = true
  for (let round = 0; isContended && round < rounds; round++) {
    isContended = false
    for await (const rows of watchRows(sealedRows(executor, now), { table: 're-encrypting', total: 0, watch })) {
      const changes = rows.map((row) => changeOf(keyring, row)).filter(({ resealed }) => resealed > 0)
      if (changes.length === 0) continue
      // One transaction: on PostgreSQL its statements share round trips.
      const areReplaced = await executor.write((sql) =>
        Promise.all(changes.map(({ row, texts }) => row.replace(sql, texts))),
      )
      for (const [index, change] of changes.entries()) {
        if (areReplaced[index]) count(resealed, change.row.kind, change.resealed)
        else isContended = true
      }
    }
  }
  return { resealed, left: await takeInventory(executor, keyring, now, watch) }
}

/** Attempts for rows that are changed concurrently. */
const rounds = 5

/** The texts of a row, encrypted with the first key; texts that cannot be decrypted are not changed. */
function changeOf(keyring: Keyring, row: SealedRow) {
  let resealed = 0
  const texts = row.texts.map((text) => {
    const opened = keyIdOf(text) === keyring.keyIds[0] ? null : open(keyring, text)
    if (opened === null) return text.sealed
    resealed++
    return keyring.seal(opened, text.context)
  })
  return { row, texts, resealed }
}

function open(keyring: Keyring, { sealed, context }: SealedText): string | null {
  try {
    return keyring.open(sealed, context)
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}

function count(counts: Counting, kind: SealedKindName, more: number): Counting {
  if (more > 0) counts[kind] = (counts[kind] ?? 0) + more
  return counts
}
