import { InvalidArgumentError } from 'commander'

/** Reads the value of an option: a whole number within its limits, which the refusal names. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text)
    if (!/^\d{1,9}$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`)
    return number
  }

/** Reads the value of `--limit`. */
export const count = wholeNumber(1, 999_999)
