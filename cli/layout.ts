/**
 * A cell as people read it; what others wrote may hold terminal commands or turn the direction of the line, so such
 * characters are spelled out.
 */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(shown).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** One thing, a line a property: `[["id", "01J…"], ["name", "Acme"]]`. */
export function list(properties: readonly (readonly [name: string, value: unknown])[]): string {
  const width = Math.max(...properties.map(([name]) => name.length))
  return properties.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`).join('\n')
}

/** Many things, a line each, under the names of their columns. */
export function table<T>(
  items: readonly T[],
  columns: Readonly<Record<string, (item: T) => unknown>>,
  whenEmpty: string,
): string {
  if (items.length === 0) return whenEmpty
  const rows = [Object.keys(columns), ...items.map((item) => Object.values(columns).map((cell) => shown(cell(item))))]
  const widths = Object.keys(columns).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
