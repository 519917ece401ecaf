import { isoToLocal, localToIso } from '../parts/times/local-time.ts'

/** The value of a `datetime-local` input as an instant; null for none. */
export const instantOf = (local: string): string | null => (local === '' ? null : localToIso(local))

/** An instant in the time of this browser, as a `datetime-local` input shows it. */
export const localOf = (instant: string | null): string => (instant === null ? '' : isoToLocal(instant))
