import { textKind } from '../written-text.ts'

/** One line of text, at most 2048 code points by default. Line breaks are accepted; use `pattern` to reject them. */
export const text = textKind(2048)
