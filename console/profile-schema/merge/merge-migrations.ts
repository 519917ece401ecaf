import type { Draft, ProfileMigration } from '../draft.ts'
import { describeMigration } from '../migrations/migration-words.ts'
import { readStoredNames, type StoredNames, writeStoredNames } from '../migrations/stored-names.ts'
import { readBy } from '../references.ts'
import type { Decisions } from './conflicts.ts'
import type { Sides } from './merge-fields.ts'
import { mergeMigration } from './merge-migration.ts'
import type { NamedFields } from './names.ts'

/**
 * The steps from theirs to the merged document: stored values move from the names they have in theirs, and the other steps
 * of mine follow. A step is left out when the field that it writes is gone, or takes other values now.
 */
export function mergeMigrations(
  decisions: Decisions,
  draft: Draft,
  sides: Sides,
  merged: NamedFields,
): ProfileMigration[] {
  const stored = readStoredNames(draft.migrations)
  const rest = stored.rest.flatMap((step) => {
    const next = mergeMigration(step, sides, merged)
    if (next === null) decisions.notices.push(`Left out of the migrations: ${describeMigration(step)}`)
    return next ?? []
  })
  const moved = mergeMoves(stored.moved, rest, sides, merged.fields)
  return writeStoredNames({ moved, rest })
}

/**
 * Where the values of theirs go, by their name there.
 * @param mine where those of the base go in mine
 * @param rest the steps that follow
 */
function mergeMoves(
  mine: StoredNames['moved'],
  rest: readonly ProfileMigration[],
  sides: Sides,
  fields: NamedFields['fields'],
): Map<string, string | null> {
  const { theirs } = sides
  const moved = new Map<string, string | null>()
  // Steps of mine can read values of a field that it removed.
  const read = new Set(rest.flatMap(readBy))
  const names = new Set([...fields.values()].map(({ name }) => name))
  // In the order of mine: steps that do the same stay the same.
  for (const id of new Set([...[...mine.keys()].map((from) => `=${from}`), ...theirs.fields.keys()])) {
    const name = theirs.fields.get(id)?.name
    if (name === undefined) continue
    const final = fields.get(id)?.name
    if (final !== undefined && final !== name) moved.set(name, final)
    const to = mine.get(id.slice(1))
    if (final === undefined && (to === null || (to !== undefined && read.has(to) && !names.has(to))))
      moved.set(name, to)
  }
  const nameInTheirs = new Set([...theirs.fields.values()].map(({ name }) => name))
  for (const [from, to] of mine) {
    // Values of a field that no document has any more.
    if (sides.base.fields.has(`=${from}`) || nameInTheirs.has(from)) continue
    const final = to === null ? null : fields.get(sides.mine.idOf(to))?.name
    if (final !== undefined) moved.set(from, final)
  }
  return moved
}
