import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'
import { japanese } from './ja.ts'
import type { Language } from './language.ts'
import { vietnamese } from './vi.ts'

const languages: ReadonlyMap<string, Language> = new Map(
  [english, german, french, spanish, vietnamese, japanese].map((language) => [language.tag, language]),
)

/** The languages with built-in texts. */
export const languageTags: readonly string[] = [...languages.keys()]

/** The built-in texts for a canonical tag, regardless of region and script; English for any other language. */
export const builtInLanguage = (locale: string): Language => languages.get(locale.split('-', 1)[0]!) ?? english
