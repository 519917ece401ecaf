import type { JsonValue } from './field-type.ts'

/** The value of an own property; undefined for inherited ones, so that a field may be called `toString`. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** Equality of two field values: scalars, and arrays of scalars item by item; deeper values are never equal. */
export function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => item === other[index])
  }
  return one === other
}
