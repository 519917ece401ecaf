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
    rows.reduce((width, row) => Math.max(width, widthOf(row[column]!)), 0),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** What terminals show in two columns: the wide and full-width characters of Unicode's UAX #11, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/gu
const marks = /[\p{Mn}\p{Me}\p{Cf}]/gu

/** The columns of a terminal that a text takes. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  const visible = text.replace(marks, '')
  return Array.from(visible).length + (visible.match(wide)?.length ?? 0)
}
