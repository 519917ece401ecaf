import { InvalidArgumentError } from 'commander'

const written = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/**
 * Parses a time option: a date (midnight UTC), or a time with its zone, so that the result does not depend on the machine.
 * Returns ISO 8601 in UTC with milliseconds.
 */
export function time(text: string): string {
  const [, date, clock = 'T00:00:00Z'] = written.exec(text) ?? []
  const moment = new Date(`${date}${clock}`)
  // JavaScript moves a day that the month does not have into the next month.
  if (date === undefined || Number.isNaN(moment.getTime()) || !hasDay(date)) {
    throw new InvalidArgumentError('Must have the form 2027-01-31 or 2027-01-31T18:00:00Z.')
  }
  return moment.toISOString()
}

const hasDay = (date: string): boolean => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
