import { textKind } from '../written-text.ts'

/** One line of text, at most 2048 code points by default. Line breaks are not refused: that is what `pattern` is for. */
export const text = textKind(2048)
