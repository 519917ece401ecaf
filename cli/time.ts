import { InvalidArgumentError } from 'commander'

const written = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/**
 * What an option for a time takes: a date (its first moment in UTC), or a time with its zone: without one it would
 * depend on the machine. Answers as the wire has it, in UTC to the millisecond.
 */
export function time(text: string): string {
  const [, date, clock = 'T00:00:00Z'] = written.exec(text) ?? []
  const moment = new Date(`${date}${clock}`)
  // Of a day that the month does not have, JavaScript makes one of the next month.
  if (date === undefined || Number.isNaN(moment.getTime()) || !hasDay(date)) {
    throw new InvalidArgumentError('It must be written as 2027-01-31 or 2027-01-31T18:00:00Z.')
  }
  return moment.toISOString()
}

const hasDay = (date: string): boolean => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
