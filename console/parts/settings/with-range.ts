import type { WholeRange } from '../../../contract/tenants/setting-ranges.ts'

const shown = (value: number): string => value.toLocaleString('en')

/** The description of a number with the range that it must be in, in its unit if it has one. */
export function withRange(description: string | undefined, { min, max }: WholeRange, unit?: string): string {
  const range = [shown(min), 'to', shown(max), unit].filter((part) => part !== undefined).join(' ')
  return description === undefined ? range : `${description} ${range}.`
}
