import type { ProfileSchema } from '../../../contract/profile-schema.ts'
import { closestLanguage, languagesIn, languagesOf } from './localize-schema.ts'
import { textsOf } from './schema-texts.ts'

/** Texts named for all languages together, at most. */
const MAX_TEXTS = 10_000

/**
 * The texts that lack a language which other texts of the schema have: language → dotted paths. A text in a more general
 * language (`fr` for `fr-CA`) lacks nothing. Languages that no text lacks are left out.
 */
export function untranslatedTexts(schema: ProfileSchema): Record<string, string[]> {
  const texts = textsOf(schema).map(({ path, text }) => ({ path, languages: languagesIn([text]) }))
  const untranslated: Record<string, string[]> = {}
  let left = MAX_TEXTS
  for (const [tag, written] of languagesOf(schema)) {
    const lacking = texts.filter(({ languages }) => closestLanguage(tag, languages) === '').slice(0, left)
    if (lacking.length > 0) untranslated[written] = lacking.map(({ path }) => path)
    left -= lacking.length
    if (left === 0) break
  }
  return untranslated
}
