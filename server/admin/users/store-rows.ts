import type { ImportLine } from '../../../contract/admin/user-lines.ts'
import { errors } from '../../../contract/errors.ts'
import { registered } from '../../accounts/addresses/address.ts'
import type { User } from '../../accounts/user.ts'
import { type EventSource, record } from '../../events/record.ts'
import { addProfile } from '../../profiles/add-profile.ts'
import type { IndexedVersions } from '../../profiles/index/profile-index.ts'
import { takenFields } from '../../profiles/save-profile.ts'
import { WriteConflict } from '../../storage/storage.ts'
import type { ImportTarget } from './import-preview.ts'
import { type CheckedRow, type ImportRow, invalid, invalidProfileOf } from './import-row.ts'
import { userCreated } from './user-facts.ts'

type RowError = Extract<ImportLine, { error: object }>['error']
/** The result of one row. */
export type Result = { readonly line: number; readonly problem: Omit<RowError, 'line'> | null }

type StoreRow = (row: ImportRow) => Promise<Result['problem']>
/** Stores those rows of a batch that have no problem yet. */
export type StoreRows = (
  checked: readonly (CheckedRow & { readonly line: number })[],
  store: StoreRow,
) => Promise<Result[]>

/** Each row sees what the rows before it have stored. */
export const oneByOne: StoreRows = async (checked, store) => {
  const results: Result[] = []
  for (const { line, row, problem } of checked) {
    results.push({ line, problem: row === undefined ? problem : await store(row) })
  }
  return results
}

/**
 * Begins every row without waiting for the one before: on PostgreSQL the rows share round trips. When all rows are stored,
 * the result is that of `oneByOne`.
 * @throws RowRefused when a row is refused: the transaction must be undone, because one by one other rows may be refused
 */
export const allAtOnce: StoreRows = (checked, store) =>
  Promise.all(
    checked.map(async ({ line, row, problem }) => {
      if (row === undefined) return { line, problem }
      const refused = await store(row).catch((error: unknown) => {
        // Another row of the batch may have caused it, again at each attempt.
        throw error instanceof WriteConflict ? new RowRefused() : error
      })
      if (refused !== null) throw new RowRefused()
      return { line, problem: null }
    }),
  )

/** Of a row among those that were stored at once. */
export class RowRefused extends Error {}

const unfinishedErasure =
  'The deletion of the user with this id is still being completed; import the row again in a few minutes'

const refused = (code: RowError['code']) => ({ code, message: errors[code].message })

/** Stores a row with all its parts; returns null, or the problem when nothing of it was stored. */
export async function storeRow(
  tx: ImportTarget,
  { user, namesId, passwordHash, identities, profile }: ImportRow,
  versions: IndexedVersions,
  call: EventSource,
): Promise<Result['problem']> {
  if (namesId) {
    const [existing, isUnfinished] = await Promise.all([
      tx.users.find(user.id),
      // It would erase events of the new user, too.
      tx.eventErasures.isUnfinished(user.id),
    ])
    if (existing !== null) return refused('USER_ALREADY_EXISTS')
    if (isUnfinished) return invalid({ id: unfinishedErasure }).problem
  }
  const linked = await Promise.all(identities.map(({ provider, subject }) => tx.identities.find(provider, subject)))
  if (linked.some((identity) => identity !== null)) return refused('IDENTITY_LINKED_ELSEWHERE')
  const taken = await tx.users.add(user, passwordHash)
  if (taken !== null) return refused(registered[taken])
  const held = profile === null ? [] : await addProfile(tx, profile, versions)
  if (held.length > 0) {
    await tx.users.remove(user.id)
    return invalidProfileOf(takenFields(held)).problem
  }
  const added = await Promise.all(identities.map((identity) => tx.identities.add(identity)))
  if (added.includes(false)) throw new WriteConflict('Another transaction added the same identity first')
  if (namesId) await followEarlierUser(tx, user, call)
  return null
}

/** Ends what is left of a deleted user with this id. */
async function followEarlierUser(tx: ImportTarget, user: User, call: EventSource): Promise<void> {
  const [isMentioned] = await Promise.all([
    tx.eventLog.mentions(user.id),
    // Sessions outlive a deleted user: they must not open the new account. They stopped counting as open when that user was erased.
    tx.sessions.revokeAllOf(user.id, user.updatedAt),
  ])
  // Verification then tells the erased events of the earlier user from damaged ones.
  if (isMentioned) await record(tx, call, userCreated(user))
}
