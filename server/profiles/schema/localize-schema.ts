import type { LocalizedText, ProfileSchema, ProfileSchemaDelta } from '../../../contract/profile-schema.ts'

/** The language tags of a schema's texts: in lower case, and as the operator wrote them. */
type SchemaLanguages = ReadonlyMap<string, string>

/** Any language tag in a schema is shorter. */
const longestTag = 80

/** The languages that a schema has texts in, besides the default. */
export function languagesOf(schema: ProfileSchema): SchemaLanguages {
  const languages = new Map<string, string>()
  mapSchema(schema, (text) => {
    if (typeof text === 'string') return text
    for (const tag of Object.keys(text)) languages.set(tag.toLowerCase(), tag)
    return text
  })
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
export const localizeSchema = (schema: ProfileSchema, language: string): ProfileSchema =>
  mapSchema(schema, (text) => textIn(text, language))

/** A delta as it is between two schemas with their texts in one language. */
export function localizeDelta(delta: ProfileSchemaDelta, language: string): ProfileSchemaDelta {
  const read = (text: LocalizedText) => textIn(text, language)
  const { components, presentation, forms } = delta
  return {
    ...delta,
    components: { ...components, set: mapComponents(components.set, read) },
    presentation: presentation === null ? null : presentation.map((section) => mapTitles(section, read)),
    forms: { ...forms, set: mapForms(forms.set, read) },
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

type MapText = (text: LocalizedText) => LocalizedText

const mapSchema = ({ version, components, presentation, forms }: ProfileSchema, map: MapText): ProfileSchema => ({
  version,
  components: mapComponents(components, map),
  presentation: presentation.map((section) => mapTitles(section, map)),
  forms: mapForms(forms, map),
})

function mapComponents(components: ProfileSchema['components'], map: MapText): ProfileSchema['components'] {
  return components.map((component) => {
    const mapped = mapMembers(component, ['label', 'description', 'placeholder'], map)
    if (mapped.messages) mapped.messages = mapValues(mapped.messages, map)
    if ('options' in mapped) mapped.options = mapped.options.map((option) => mapMembers(option, ['label'], map))
    return mapped
  })
}

const mapForms = (forms: ProfileSchema['forms'], map: MapText): ProfileSchema['forms'] =>
  mapValues(forms, (form) => {
    const mapped = mapTitles(form, map)
    if (mapped.steps) mapped.steps = mapped.steps.map((step) => mapTitles(step, map))
    return mapped
  })

const mapTitles = <T extends { title?: LocalizedText | undefined; description?: LocalizedText | undefined }>(
  part: T,
  map: MapText,
): T => mapMembers(part, ['title', 'description'], map)

/** A copy with some members mapped, in the same order. */
function mapMembers<T extends object>(part: T, names: readonly (keyof T)[], map: MapText): T {
  const mapped = { ...part }
  for (const name of names) {
    const text = mapped[name] as LocalizedText | undefined
    if (text !== undefined) mapped[name] = map(text) as T[keyof T]
  }
  return mapped
}

const mapValues = <T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
