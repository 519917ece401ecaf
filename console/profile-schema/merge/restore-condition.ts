import type { Condition, DraftField } from '../draft.ts'
import { mapCondition } from '../references.ts'
import type { Three } from './conflicts.ts'
import { isSame } from './same.ts'

type Fields = ReadonlyMap<string, DraftField>

/**
 * A side that removed a field removed it from conditions, too: where the field is kept, so is what read it.
 *
 * @param merged the condition of the merged document
 * @param three that of each document
 * @param kept the fields of the merged document
 */
export function restoreCondition(
  merged: Condition | undefined,
  [base, mine, theirs]: Three<Condition>,
  sides: { readonly mine: { readonly fields: Fields }; readonly theirs: { readonly fields: Fields } },
  kept: Fields,
): Condition | undefined {
  if (base === undefined) return merged
  const among = (fields: Fields) =>
    mapCondition(base, (comparison) => (fields.has(comparison.field) ? comparison : null))
  const isOnlyRemoval =
    (isSame(base, mine) && isSame(theirs, among(sides.theirs.fields))) ||
    (isSame(base, theirs) && isSame(mine, among(sides.mine.fields)))
  return isOnlyRemoval ? among(kept) : merged
}
