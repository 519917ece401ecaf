import { type Keyring, SealBroken } from '../secrets/keyring.ts'
import type { Executor } from '../storage/database.ts'
import { type SealedKindName, type SealedRow, type SealedText, sealedRows } from './sealed-rows.ts'

/** How many texts of each kind. */
export type SealedCounts = Readonly<Counting>
type Counting = Partial<Record<SealedKindName, number>>

/** What is sealed under which key, by the key's id. */
export interface SealedInventory {
  /** Texts that open. */
  readonly open: ReadonlyMap<string, SealedCounts>
  /** Texts that do not: of a key that the ring lacks or has otherwise, or altered. */
  readonly closed: ReadonlyMap<string, SealedCounts>
}

/** What resealing came to. */
export interface ResealReport {
  readonly resealed: SealedCounts
  /** What there is afterwards. */
  readonly left: SealedInventory
}

const keyIdOf = ({ sealed }: SealedText): string => sealed.slice(0, Math.max(sealed.indexOf('.'), 0))

/** Opens everything that is sealed at `now`, epoch milliseconds. */
export async function takeInventory(executor: Executor, keyring: Keyring, now: number): Promise<SealedInventory> {
  const counts = { open: new Map<string, Counting>(), closed: new Map<string, Counting>() }
  for await (const rows of sealedRows(executor, now)) {
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
 * Seals everything under the current key that is sealed under another, while servers serve. A row that changed since it
 * was read is left to whoever changed it, and looked at again.
 */
export async function resealAll(executor: Executor, keyring: Keyring, now: number): Promise<ResealReport> {
  const resealed: Counting = {}
  let isContended = true
  for (let round = 0; isContended && round < rounds; round++) {
    isContended = false
    for await (const rows of sealedRows(executor, now)) {
      const ends = await Promise.all(rows.map((row) => resealRow(executor, keyring, row)))
      for (const [index, end] of ends.entries()) {
        if (end === 'changed meanwhile') isContended = true
        else count(resealed, rows[index]!.kind, end)
      }
    }
  }
  return { resealed, left: await takeInventory(executor, keyring, now) }
}

/** How often rows are looked at that somebody changes at the same moment. */
const rounds = 5

/** How many of its texts were sealed anew; one that does not open stays as it is. */
async function resealRow(executor: Executor, keyring: Keyring, row: SealedRow): Promise<number | 'changed meanwhile'> {
  let resealed = 0
  const texts = row.texts.map((text) => {
    const opened = keyIdOf(text) === keyring.keyIds[0] ? null : open(keyring, text)
    if (opened === null) return text.sealed
    resealed++
    return keyring.seal(opened, text.context)
  })
  return resealed === 0 || (await row.replace(executor, texts)) ? resealed : 'changed meanwhile'
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
