/**
 * A value as text. Control and bidirectional formatting characters are escaped: values written by clients must not be
 * able to control the terminal.
 */
export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(shown).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** An object, one line per property: `[["id", "01J…"], ["name", "Acme"]]`. */
export function list(properties: readonly (readonly [name: string, value: unknown])[]): string {
  const width = Math.max(...properties.map(([name]) => name.length))
  return properties.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`).join('\n')
}

/** A table with a header and one line per item. */
export function table<T>(
  items: readonly T[],
  columns: Readonly<Record<string, (item: T) => unknown>>,
  whenEmpty: string,
): string {
  if (items.length === 0) return whenEmpty
  const rows = [Object.keys(columns), ...items.map((item) => Object.values(columns).map((cell) => shown(cell(item))))]
  // Not Math.max(...lengths): a call takes about 120,000 arguments, and a tenant may have more users.
  const widths = Object.keys(columns).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
