import { z } from 'zod'
import { codePoints, isSoundText } from './fields/sound-text.ts'

/**
 * Control characters (C0, DEL, C1) and bidirectional formatting characters (UAX #9). A name with one is not displayed as
 * typed and can look like another name (CWE-1007).
 */
const unprintable = /[\p{Cc}\p{Bidi_Control}]/u
/** Without one a name is an empty place in every list, and no link to follow. */
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * A storable string of `min` to `max` code points.
 * @param printable also rejects control and bidirectional formatting characters, and texts without a visible character
 */
export function text({
  min = 1,
  max = Number.POSITIVE_INFINITY,
  printable = false,
}: {
  min?: number
  max?: number
  printable?: boolean
} = {}) {
  return z
    .string()
    .superRefine((value, context) => {
      const message = textProblem(value, min, max) ?? (printable ? printProblem(value) : null)
      if (message !== null) context.addIssue({ code: 'custom', message })
    })
    .meta({ minLength: min, ...(Number.isFinite(max) ? { maxLength: max } : {}) })
}

function textProblem(value: string, min: number, max: number): string | null {
  if (!isSoundText(value)) return 'Invalid string'
  const length = codePoints(value)
  if (length < min) return `String must contain at least ${min} character(s)`
  if (length > max) return `String must contain at most ${max} character(s)`
  return null
}

function printProblem(value: string): string | null {
  if (unprintable.test(value)) return 'Control and bidirectional formatting characters are not allowed; remove them'
  return visible.test(value) ? null : 'Must contain a visible character'
}
