import { type DraftField, isNote, type ProfileForm } from '../draft.ts'
import { withOrWithout } from '../references.ts'
import type { NamedForm } from './merge-forms.ts'
import { withFreeNames } from './names.ts'
import type { RepairCondition } from './repairs.ts'

type Fields = ReadonlyMap<string, DraftField>

/** Whether a section, a form or a step can show a field of the merged document. */
export const isShown = (field: DraftField | undefined): boolean => field !== undefined && !isNote(field)

function withShownFields<T extends Pick<ProfileForm, 'fields' | 'required'>>(part: T, fields: Fields): T {
  const listed = part.fields?.filter((id) => isShown(fields.get(id)))
  const required = part.required?.filter((id) => listed?.includes(id) && fields.get(id)!.writable !== false)
  return { ...part, ...(listed && { fields: listed }), ...(required && { required }) }
}

/** The form as the merged document can have it. */
export function repairForm({ name, ...form }: NamedForm, fields: Fields, repair: RepairCondition): ProfileForm {
  if (form.steps === undefined) return withShownFields(form, fields)
  const steps = form.steps.map((step) => {
    const visibleWhen = repair(step.visibleWhen, {}, step.step)
    return withOrWithout(withShownFields(step, fields), 'visibleWhen', visibleWhen)
  })
  // A sign-up is one request.
  if (name === 'signUp') {
    const { steps: _steps, ...others } = form
    return { ...others, fields: steps.flatMap((step) => step.fields ?? []) }
  }
  const numbered = new Map(steps.map((step, index) => [String(index), step]))
  return { ...form, steps: [...withFreeNames(numbered, 'step', new Map()).values()] }
}
