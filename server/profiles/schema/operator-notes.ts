import { isOperatorNote } from '../../../contract/fields/field-component.ts'
import type { PresentationSection, ProfileForm } from '../../../contract/profile-schema.ts'
import type { ComponentsByName } from './define/define-field-names.ts'
import type { SchemaProblems } from './define/schema-problems.ts'

/** Refuses to show the operator's own notes, which the public schema leaves out. */
export function refuseShownNotes(
  components: ComponentsByName,
  presentation: readonly PresentationSection[],
  forms: Readonly<Record<string, ProfileForm>>,
  problems: SchemaProblems,
): void {
  const refuse = (fields: readonly string[] | undefined, path: string) => {
    for (const [index, field] of fields?.entries() ?? []) {
      const component = components.get(field)
      if (!component || !isOperatorNote(component)) continue
      const problem = `clients neither read nor write "${field}"; remove it, or make the field readable`
      problems.add(`${path}.fields.${index}`, problem)
    }
  }
  for (const [index, section] of presentation.entries()) refuse(section.fields, `presentation.${index}`)
  for (const [name, form] of Object.entries(forms)) {
    refuse(form.fields, `forms.${name}`)
    for (const [index, step] of form.steps?.entries() ?? []) refuse(step.fields, `forms.${name}.steps.${index}`)
  }
}
