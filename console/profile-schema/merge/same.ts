/** Whether two JSON values are equal. The order of members does not count, and neither do members without a value. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [first, second] = [one, other] as readonly Readonly<Record<string, unknown>>[]
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => isSame(first![name], second![name]))
}

/** Whether two lists have the same items, in any order. */
export const hasSameItems = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && isSame(one.toSorted(), other.toSorted())
