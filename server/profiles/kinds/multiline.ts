import { textKind } from '../written-text.ts'

/** Text of several lines, at most 20,000 code points by default. */
export const multiline = textKind(20_000)
