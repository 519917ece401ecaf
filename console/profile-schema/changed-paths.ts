import { isRecord, ownValue } from '../../contract/fields/profile-values.ts'

/** The paths of the values that differ; a list that is longer or shorter counts twice. */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  // A text that is written in some languages only has '' for all others.
  if ((before ?? '') === (after ?? '')) return []
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return [path, path]
    return before.flatMap((item, index) => changedPaths(item, after[index], `${path}.${index}`))
  }
  // The first rule makes the object of all rules.
  const [old, next] = [before ?? {}, after ?? {}]
  if (!isRecord(old) || !isRecord(next)) return [path]
  const names = new Set([...Object.keys(old), ...Object.keys(next)])
  return [...names].flatMap((name) => changedPaths(ownValue(old, name), ownValue(next, name), `${path}.${name}`))
}
