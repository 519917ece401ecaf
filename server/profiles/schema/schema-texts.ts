import type { LocalizedText, PresentationSection, ProfileSchema } from '../../../contract/profile-schema.ts'
import type { SchemaComponent } from './schema-component.ts'

/** A text of a schema, and its dotted path. */
interface SchemaText {
  readonly path: string
  readonly text: LocalizedText
}

/** Every text of a schema: those of components, then of the presentation, then of forms. */
export function textsOf({ components, presentation, forms }: ProfileSchema): SchemaText[] {
  return [
    ...components.flatMap((component) => textsOfComponent(component)),
    ...presentation.flatMap((section, index) => titlesOf(section, `presentation.${index}`)),
    ...Object.entries(forms).flatMap(([name, form]) => [
      ...titlesOf(form, `forms.${name}`),
      ...(form.steps ?? []).flatMap((step, index) => titlesOf(step, `forms.${name}.steps.${index}`)),
    ]),
  ]
}

function textsOfComponent(component: SchemaComponent): SchemaText[] {
  const { name, label, description, placeholder, messages = {}, options = [] } = component
  const path = `components.${name}`
  return [
    ...textAt(`${path}.label`, label),
    ...textAt(`${path}.description`, description),
    ...textAt(`${path}.placeholder`, placeholder),
    ...Object.entries(messages).flatMap(([rule, text]) => textAt(`${path}.messages.${rule}`, text)),
    ...options.flatMap((option, index) => textAt(`${path}.options.${index}.label`, option.label)),
  ]
}

const titlesOf = (
  { title, description }: Pick<PresentationSection, 'title' | 'description'>,
  path: string,
): SchemaText[] => [...textAt(`${path}.title`, title), ...textAt(`${path}.description`, description)]

const textAt = (path: string, text: LocalizedText | undefined): SchemaText[] =>
  text === undefined ? [] : [{ path, text }]
