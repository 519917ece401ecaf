import { ownValue } from '../../../contract/fields/profile-values.ts'

/** A value of JSON at a path that one document has and another has not; undefined: it is missing. */
export interface Change {
  readonly path: readonly string[]
  readonly before: unknown
  readonly after: unknown
}

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What differs, object by object; a list counts as one value. Members in another order are equal. */
export function changesBetween(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isMembers(before) && isMembers(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => changesBetween(ownValue(before, name), ownValue(after, name), [...path, name]))
  }
  return isEqual(before, after) ? [] : [{ path, before, after }]
}

function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
  }
  if (isMembers(one) && isMembers(other)) return changesBetween(one, other).length === 0
  return one === other
}

/** The document with the changes made in it. */
export const withChanges = <T extends object>(document: T, changes: readonly Change[]): T =>
  changes.reduce<unknown>((made, { path, after }) => withValue(made, path, after), document) as T

function withValue(document: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const members = isMembers(document) ? document : {}
  const { [name]: before, ...others } = members
  const after = withValue(before, rest, value)
  if (after === undefined) return others
  return { ...members, [name]: after }
}

/** The changes as a merge patch (RFC 7396). It cannot set a member to null, which no setting is. */
export function patchOf(changes: readonly Change[]): Record<string, unknown> {
  const whole = changes.map(({ path, before, after }) => ({ path, before, after: after === undefined ? null : after }))
  return withChanges({}, whole)
}

/** Whether both sides have changed the same setting, or one a part of what the other has changed. */
export const overlaps = (mine: readonly Change[], theirs: readonly Change[]): boolean =>
  mine.some(({ path }) => theirs.some((other) => isWithin(path, other.path) || isWithin(other.path, path)))

const isWithin = (path: readonly string[], outer: readonly string[]): boolean =>
  outer.every((name, index) => path[index] === name)

/** The document without members that are off or empty and that `stored` has not: they mean the same as none. */
export function withoutAddedBlanks<T>(document: T, stored: unknown): T {
  if (!isMembers(document)) return document
  const members = Object.entries(document).flatMap(([name, value]) => {
    const before = isMembers(stored) ? ownValue(stored, name) : undefined
    const after = withoutAddedBlanks(value, before)
    return before === undefined && isBlank(after) ? [] : [[name, after] as const]
  })
  return Object.fromEntries(members) as T
}

const isBlank = (value: unknown): boolean =>
  value === false || value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
