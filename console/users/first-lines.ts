/** Lines of the dry look. */
export const lookedAt = 20
/** A line has at most 64 KB, so the first lines are within these bytes. */
const enoughBytes = (lookedAt + 1) * 65_536

/** A line of the file as the look shows it. */
export interface LookedLine {
  /** From 1, blank lines included, as the server counts. */
  readonly line: number
  readonly text: string
  /** The address or number in it; null when it has none or is not JSON. */
  readonly name: string | null
}

/** The first lines of a file that are not blank. */
export async function firstLines(file: Blob): Promise<readonly LookedLine[]> {
  const text = await file.slice(0, enoughBytes).text()
  const lines = text.split('\n').map((one, index) => ({ line: index + 1, text: one.trim() }))
  return lines
    .filter((one) => one.text !== '')
    .slice(0, lookedAt)
    .map((one) => ({ ...one, name: nameIn(one.text) }))
}

function nameIn(text: string): string | null {
  try {
    const { email, phone, id } = JSON.parse(text) as Record<string, unknown>
    return [email, phone, id].find((value) => typeof value === 'string') ?? null
  } catch {
    return null
  }
}
