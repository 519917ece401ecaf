import type { FieldTypeName } from '../../../contract/fields/field-types.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'

/** Code points of a value that the search index contains; longer values are compared by their first ones. */
export const indexedLength = 256

/**
 * Folds a text for comparison: NFKC, trimmed, full case folding, so that `Straße`, `STRASSE` and `ｓｔｒａｓｓｅ ` are equal.
 * The first `toLowerCase` turns `ẞ` into `ß`, which only then becomes `SS`. `toLowerCase` writes a sigma at the end of a
 * word as `ς`; it becomes `σ`, so that the beginning of a text folds to the beginning of the folded text.
 */
export function foldText(text: string): string {
  const upper = text.normalize('NFKC').toLowerCase().toUpperCase()
  return upper.toLowerCase().replaceAll('ς', 'σ').normalize('NFKC').trim()
}

/**
 * A number as 16 hexadecimal digits that sort byte by byte like the numbers. It is the IEEE 754 representation with the
 * sign bit inverted, and all bits of a negative number.
 */
export function sortableNumber(value: number): string {
  // -0 and 0 are equal, but their representations differ.
  numbers.setFloat64(0, value === 0 ? 0 : value)
  const bits = numbers.getBigUint64(0)
  const sorted = bits >> 63n === 1n ? ~bits & allBits : bits | signBit
  return sorted.toString(16).padStart(16, '0')
}

const numbers = new DataView(new ArrayBuffer(8))
const signBit = 1n << 63n
const allBits = (1n << 64n) - 1n

/** A value as the search index contains it; null for a value that does not have the type of its field. */
export function searchValue(type: FieldTypeName, value: JsonValue): string | null {
  if (type === 'number' || type === 'integer') return typeof value === 'number' ? sortableNumber(value) : null
  if (type === 'boolean') return typeof value === 'boolean' ? String(value) : null
  return typeof value === 'string' ? firstCodePoints(foldText(value)) : null
}

/** What the search index contains for the value of a field: one entry for each chosen option, none for null. */
export function searchValues(type: FieldTypeName, value: JsonValue): string[] {
  const items = Array.isArray(value) ? value : [value]
  return [...new Set(items.flatMap((item) => searchValue(type, item) ?? []))]
}

function firstCodePoints(text: string): string {
  return text.length <= indexedLength ? text : [...text].slice(0, indexedLength).join('')
}
