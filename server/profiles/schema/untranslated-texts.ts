import type { LocalizedText, ProfileSchema } from '../../../contract/profile-schema.ts'
import { closestLanguage, languagesOf } from './localize-schema.ts'
import type { SchemaComponent } from './schema-component.ts'

/** Texts named for all languages together, at most. */
const MAX_TEXTS = 10_000

type Text = readonly [path: string, text: LocalizedText | undefined]
interface Titles {
  readonly title?: LocalizedText | undefined
  readonly description?: LocalizedText | undefined
}

/**
 * The texts that lack a language which other texts of the schema have: language → dotted paths. A text in a more general
 * language (`fr` for `fr-CA`) lacks nothing. Languages that no text lacks are left out.
 */
export function untranslatedTexts(schema: ProfileSchema): Record<string, string[]> {
  const texts = textsOf(schema).flatMap(([path, text]) => {
    if (text === undefined) return []
    const tags = typeof text === 'string' ? [] : Object.keys(text).filter((tag) => tag !== 'default')
    return [{ path, languages: new Map(tags.map((tag) => [tag.toLowerCase(), tag])) }]
  })
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

function textsOf({ components, presentation, forms }: ProfileSchema): Text[] {
  return [
    ...components.flatMap((component) => textsOfComponent(component)),
    ...presentation.flatMap((section, index) => titlesOf(section, `presentation.${index}`)),
    ...Object.entries(forms).flatMap(([name, form]) => [
      ...titlesOf(form, `forms.${name}`),
      ...(form.steps ?? []).flatMap((step, index) => titlesOf(step, `forms.${name}.steps.${index}`)),
    ]),
  ]
}

function textsOfComponent(component: SchemaComponent): Text[] {
  const { name, label, description, placeholder, messages = {}, options = [] } = component
  const path = `components.${name}`
  return [
    [`${path}.label`, label],
    [`${path}.description`, description],
    [`${path}.placeholder`, placeholder],
    ...Object.entries(messages).map(([rule, text]): Text => [`${path}.messages.${rule}`, text]),
    ...options.map((option, index): Text => [`${path}.options.${index}.label`, option.label]),
  ]
}

const titlesOf = ({ title, description }: Titles, path: string): Text[] => [
  [`${path}.title`, title],
  [`${path}.description`, description],
]
