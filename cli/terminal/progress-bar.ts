import type { Terminal } from './terminal.ts'

/** The progress of one task. */
export interface Progress {
  /** Sets what is done, such as bytes or rows. */
  update(done: number): void
  /** Prints a line above the bar. */
  note(line: string): void
  /** Ends the bar and leaves it in the terminal. */
  stop(): void
}

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const rounded = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, notation: 'compact' })

type Draw = (what: string, expected: { readonly unit: string; readonly total: number }) => Progress

/** One bar per table, in the order in which the tables report. */
export async function watchTables(terminal: Terminal): Promise<{
  readonly watch: (table: string, done: number, total: number) => void
  readonly stop: () => void
}> {
  const draw = await loadBars(terminal)
  let current: { readonly table: string; readonly bar: Progress } | null = null
  const stop = () => {
    current?.bar.stop()
    current = null
  }
  return {
    stop,
    watch(table, done, total) {
      if (current?.table !== table) stop()
      current ??= { table, bar: draw(table, { unit: 'rows', total }) }
      current.bar.update(done)
    },
  }
}

/**
 * Draws a bar with rate and estimated time on standard error if it is a terminal. Prints nothing elsewhere, so that logs
 * and pipes contain results only; the library is not loaded then.
 * @param unit what is counted: `users`, `rows`, `bytes`
 * @param total 0 if unknown: then only count and rate are shown
 */
export async function startProgress(
  what: string,
  expected: { readonly unit: string; readonly total: number },
  terminal: Terminal,
): Promise<Progress> {
  return (await loadBars(terminal))(what, expected)
}

async function loadBars({ screen, warn }: Terminal): Promise<Draw> {
  if (screen === null) return () => ({ update() {}, note: (line) => warn(`${line}\n`), stop() {} })
  const { default: progress } = await import('cli-progress')
  return (what, { unit, total }) => {
    const begun = performance.now()
    const show = unit === 'bytes' ? rounded.format : grouped.format
    const bar = new progress.SingleBar(
      {
        stream: screen,
        format:
          total > 0
            ? `${what} [{bar}] {percentage}% | {count} | {rate} | ETA {eta_formatted}`
            : `${what} {count} | {rate}`,
        etaAsynchronousUpdate: true,
        etaBuffer: 100,
        forceRedraw: true,
        hideCursor: null,
        // Otherwise the library turns wrapping off, and Ctrl-C would leave the terminal so. The bar is cut to its width.
        linewrap: true,
        gracefulExit: false,
      },
      progress.Presets.legacy,
    )
    let expected = total
    const texts = (done: number) => {
      const rate = done / Math.max((performance.now() - begun) / 1000, 0.001)
      return {
        count: `${show(done)}${expected > 0 ? ` of ${show(expected)}` : ''} ${unit}`,
        rate: `${show(rate)} ${unit}/s`,
      }
    }
    bar.start(total, 0, texts(0))
    return {
      update(done) {
        // An estimate can be too small.
        if (expected > 0 && done > expected) {
          expected = done
          bar.setTotal(done)
        }
        bar.update(done, texts(done))
      },
      // Clears the bar, and saves the new position of the cursor, which the library restores at the end.
      note: (line) => void screen.write(`\r\u001b[K${line}\n\u001b7`),
      stop: () => bar.stop(),
    }
  }
}
