/**
 * Called after each step of a campaign.
 * @param done the steps that have ended
 * @param checked what they have checked so far: `1467 acknowledged writes checked`
 */
export type Watch = (done: number, checked: string) => void

export const unwatched: Watch = () => undefined

/** The steps of a campaign. */
interface Steps {
  readonly name: string
  /** What one step is: `cycle`, `round`. */
  readonly unit: string
  readonly total: number
}

/** Where progress is printed, and the clock in milliseconds. */
interface Printer {
  readonly output: { readonly isTTY?: boolean; write(text: string): unknown }
  now(): number
}

const standard: Printer = { output: process.stdout, now: () => performance.now() }
/** The time between two lines where lines stay, as in files and pipes, and between two versions of the line of a terminal. */
const betweenLinesMs = 5_000
const betweenFramesMs = 100
const startOfLine = '\r\u001b[K'

/** The progress of a campaign. */
interface Progress {
  readonly watch: Watch
  /** Prints a line that stays. */
  note(line: string): void
}

/**
 * Runs a campaign and prints its progress: on a terminal in one line, which is cleared after the campaign and stays after a
 * failure; elsewhere a line every five seconds.
 */
export async function withProgress<T>(
  { name, unit, total }: Steps,
  run: (progress: Progress) => Promise<T>,
  { output, now }: Printer = standard,
): Promise<T> {
  const begun = now()
  const [start, end, between] = output.isTTY ? [startOfLine, '', betweenFramesMs] : ['', '\n', betweenLinesMs]
  let printedAt = Number.NEGATIVE_INFINITY
  let line = ''
  let printed = ''

  function watch(done: number, checked: string): void {
    line = `${name}  ${unit} ${done} of ${total} after ${minutes(now() - begun)}: ${checked}`
    if (now() - printedAt < between) return
    printedAt = now()
    printed = line
    output.write(`${start}${line}${end}`)
  }

  try {
    const result = await run({ watch, note: (text) => output.write(`${start}${text}\n`) })
    output.write(start)
    return result
  } catch (error) {
    if (line !== printed || output.isTTY) output.write(`${start}${line}\n`)
    throw error
  }
}

/** `61:05` */
function minutes(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
