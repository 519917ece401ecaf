import type { JsonValue } from './json-value.ts'

/** The value of an own property; undefined for inherited ones, so that a field may be called `toString`. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** A copy with the properties for which `isKept` holds. */
export function entriesWhere<T>(
  record: Readonly<Record<string, T>>,
  isKept: (name: string, value: T) => boolean,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => isKept(name, value)))
}

/** Whether the value is a JSON object. */
export function isRecord(value: JsonValue): value is { [key: string]: JsonValue }
export function isRecord(value: unknown): value is Record<string, unknown>
export function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Equality of two JSON values; the order of an object's members does not matter. */
export function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  const [first, second] = [one, other] as Readonly<Record<string, JsonValue>>[]
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(second!, name) && isSameValue(first![name], second![name]))
  )
}
