/** Lines of the dry look. */
export const lookedAt = 20
/** A line has at most 1 MiB, so the first lines are within these bytes. */
const enoughBytes = (lookedAt + 1) * 1_048_576
/** More of a line than fits on the screen. */
const shownCharacters = 1_000
const lineFeed = 10

/** A line of the file as the look shows it. */
export interface LookedLine {
  /** From 1, blank lines included, as the server counts. */
  readonly line: number
  /** Its beginning. */
  readonly text: string
  /** The address or number in it; null when it has none or is not JSON. */
  readonly name: string | null
}

interface Beginning {
  /** The first lines that are not blank. */
  readonly lines: readonly LookedLine[]
  /** The file up to the last of them, in its own bytes: texts of other encodings than UTF-8 are refused. */
  readonly bytes: Blob
}

/** The beginning of a file. */
export async function beginningOf(file: Blob): Promise<Beginning> {
  const read = new Uint8Array(await file.slice(0, enoughBytes).arrayBuffer())
  const lines: LookedLine[] = []
  let end = 0
  for (let line = 1; end < read.length && lines.length < lookedAt; line++) {
    const start = end
    end = read.indexOf(lineFeed, start) + 1 || read.length
    const text = new TextDecoder().decode(read.subarray(start, end)).trim()
    if (text !== '') lines.push({ line, text: text.slice(0, shownCharacters), name: nameIn(text) })
  }
  return { lines, bytes: file.slice(0, end) }
}

function nameIn(text: string): string | null {
  try {
    const { email, phone, id } = JSON.parse(text) as Record<string, unknown>
    return [email, phone, id].find((value) => typeof value === 'string') ?? null
  } catch {
    return null
  }
}
