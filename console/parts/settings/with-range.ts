import type { WholeRange } from '../../../contract/setting-ranges.ts'

const shown = (value: number): string => value.toLocaleString('en')

/** The description of a number with the range that it must be in. */
export function withRange(description: string | undefined, { min, max }: WholeRange): string {
  const range = `${shown(min)} to ${shown(max)}`
  return description === undefined ? range : `${description} ${range}.`
}
