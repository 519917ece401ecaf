import type {
  LocalizedText,
  PresentationSection,
  ProfileSchema,
  ProfileSchemaDelta,
} from '../../../contract/profile-schema.ts'
import { textsOf } from './schema-texts.ts'

/** The language tags of a schema's texts: in lower case, and as the operator wrote them. */
type SchemaLanguages = ReadonlyMap<string, string>

/** Any language tag in a schema is shorter. */
const longestTag = 80

/** The languages that a schema has texts in, besides the default. */
export const languagesOf = (schema: ProfileSchema): SchemaLanguages =>
  languagesIn(textsOf(schema).map(({ text }) => text))

/** The languages of some texts, besides the default. */
export function languagesIn(texts: readonly LocalizedText[]): SchemaLanguages {
  const tags = texts.flatMap((text) => (typeof text === 'string' ? [] : Object.keys(text)))
  const languages = new Map(tags.map((tag) => [tag.toLowerCase(), tag]))
  languages.delete('default')
  return languages
}

/** The language of a schema for a requested one: `fr-CA`, else `fr`, in lower case; `''` for the default texts. */
export function closestLanguage(locale: string, languages: SchemaLanguages): string {
  if (locale.length > longestTag) return ''
  let tag = locale.toLowerCase()
  while (tag !== '' && !languages.has(tag)) tag = moreGeneral(tag)
  return tag
}

/** The schema with its texts in one language: each is a string. */
export const localizeSchema = (
  { version, components, presentation, forms }: ProfileSchema,
  language: string,
): ProfileSchema => ({
  version,
  components: localizeComponents(components, language),
  presentation: presentation.map((section) => localizeTitles(section, language)),
  forms: localizeForms(forms, language),
})

/** A delta as it is between two schemas with their texts in one language. */
export function localizeDelta(delta: ProfileSchemaDelta, language: string): ProfileSchemaDelta {
  const { components, presentation, forms } = delta
  return {
    ...delta,
    components: { ...components, set: localizeComponents(components.set, language) },
    presentation: presentation?.map((section) => localizeTitles(section, language)) ?? null,
    forms: { ...forms, set: localizeForms(forms.set, language) },
  }
}

/** As clients choose a text: in the language, or in the next more general one, or the default. */
function textIn(text: LocalizedText, language: string): string {
  if (typeof text === 'string') return text
  for (let tag = language; tag !== ''; tag = moreGeneral(tag)) {
    // Of tags that differ in letter case the last one counts, as in clients.
    const written = Object.keys(text).findLast((key) => key.length === tag.length && key.toLowerCase() === tag)
    if (written !== undefined && tag !== 'default') return text[written]!
  }
  return text.default
}

const moreGeneral = (tag: string): string => tag.slice(0, Math.max(0, tag.lastIndexOf('-')))

function localizeComponents(components: ProfileSchema['components'], language: string): ProfileSchema['components'] {
  return components.map((component) => {
    const localized = localizeMembers(component, ['label', 'description', 'placeholder'], language)
    if (localized.messages) localized.messages = mapValues(localized.messages, (text) => textIn(text, language))
    if ('options' in localized) {
      localized.options = localized.options.map((option) => localizeMembers(option, ['label'], language))
    }
    return localized
  })
}

const localizeForms = (forms: ProfileSchema['forms'], language: string): ProfileSchema['forms'] =>
  mapValues(forms, (form) => {
    const localized = localizeTitles(form, language)
    if (localized.steps) localized.steps = localized.steps.map((step) => localizeTitles(step, language))
    return localized
  })

const localizeTitles = <T extends Pick<PresentationSection, 'title' | 'description'>>(part: T, language: string): T =>
  localizeMembers(part, ['title', 'description'], language)

/** A copy with some members in one language, in the same order. */
function localizeMembers<T extends object>(part: T, names: readonly (keyof T)[], language: string): T {
  const localized = { ...part }
  for (const name of names) {
    const text = localized[name] as LocalizedText | undefined
    if (text !== undefined) localized[name] = textIn(text, language) as T[keyof T]
  }
  return localized
}

const mapValues = <T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
