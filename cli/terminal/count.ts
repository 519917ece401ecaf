import { InvalidArgumentError } from 'commander'

/** Reads the value of `--limit`: a whole number of at most six digits. */
export function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Must be a whole number from 1.')
  return Number(text)
}
