import { isRecord } from '../../../contract/fields/profile-values.ts'

/**
 * A JSON merge patch (RFC 7396): objects are merged member by member, null removes a member, any other value (arrays
 * included) replaces it. Does not change its arguments. A member named `__proto__` is an ordinary member: it is
 * defined, not assigned.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const merged = new Map(Object.entries(isRecord(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
