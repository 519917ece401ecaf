import { type Logger, pino } from 'pino'

/** A logger of every level, and the lines that it has written. */
export function recordedLog(): { readonly logger: Logger; readonly log: string[] } {
  const log: string[] = []
  return { log, logger: pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }) }
}
