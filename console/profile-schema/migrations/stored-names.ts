import type { ProfileMigration } from '../draft.ts'

/**
 * Where the stored values of the current version go: by their name there, the name in the draft, or null where they are
 * deleted. The editor keeps these steps at the beginning of the migrations. Steps after them are the operator's own.
 */
export interface StoredNames {
  readonly moved: ReadonlyMap<string, string | null>
  readonly rest: readonly ProfileMigration[]
}

export function readStoredNames(migrations: readonly ProfileMigration[]): StoredNames {
  const moved = new Map<string, string | null>()
  let count = 0
  for (const step of migrations) {
    if ('rename' in step) {
      const { from, to } = step.rename
      const origin = originOf(from, moved)
      // A value that is moved to the name of another one replaces it.
      const replaced = originOf(to, moved)
      if (replaced !== null && replaced !== origin && moved.has(replaced)) moved.set(replaced, null)
      if (origin !== null) moved.set(origin, to)
    } else if ('drop' in step) {
      const origin = originOf(step.drop, moved)
      if (origin !== null) moved.set(origin, null)
    } else break
    count++
  }
  return { moved, rest: migrations.slice(count) }
}

/** The name in the current version of the value that a field of the draft shows; null if that value moved elsewhere. */
export function originOf(name: string, moved: ReadonlyMap<string, string | null>): string | null {
  for (const [from, to] of moved) if (to === name) return from
  return moved.has(name) ? null : name
}

/** The steps: values are deleted first, then moved, each before its name is taken by another one. */
export function writeStoredNames({ moved, rest }: StoredNames): ProfileMigration[] {
  const dropped = [...moved].filter(([, to]) => to === null).map(([from]) => ({ drop: from }))
  const pairs = [...moved].filter((pair): pair is [string, string] => pair[1] !== null && pair[0] !== pair[1])
  return [...dropped, ...inOrder(pairs).map(([from, to]) => ({ rename: { from, to } })), ...rest]
}

/** Names that swap go through a third one. */
function inOrder(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
  const waiting = [...pairs]
  const ordered: (readonly [string, string])[] = []
  while (waiting.length > 0) {
    const free = waiting.findIndex(([, to]) => waiting.every(([from]) => from !== to))
    if (free >= 0) {
      ordered.push(...waiting.splice(free, 1))
      continue
    }
    const [from, to] = waiting[0]!
    const between = unusedName(`${from}Before`, waiting)
    ordered.push([from, between])
    waiting[0] = [between, to]
  }
  return ordered
}

function unusedName(wanted: string, pairs: readonly (readonly [string, string])[]): string {
  const taken = new Set(pairs.flat())
  let name = wanted
  for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`
  return name
}
