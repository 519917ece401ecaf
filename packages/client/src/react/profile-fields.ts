import { ownValue } from '../../../../contract/fields/profile-values.ts'
import type {
  ComponentControl,
  ComponentOption,
  LocalizedText,
  ProfileComponent,
  ProfileSchema,
} from '../generated/types.ts'
import type { FieldDetail } from '../profile-types.ts'
import type { ProfileFormValues, ShownForm } from './shown-form.ts'

/** One field of a profile form. */
export interface ProfileFormField {
  readonly name: string
  readonly type: ProfileComponent['type']
  /** How the tenant wants the field to be shown; a hint. */
  readonly control: ComponentControl | undefined
  /** In the form's language; the field's name if the schema has no label. */
  readonly label: string
  readonly description: string | undefined
  readonly placeholder: string | undefined
  /** Whether the field must have a value, by its schema, the form or a condition. */
  readonly required: boolean
  /** False if the user cannot change the value, or not while a condition locks it. */
  readonly writable: boolean
  /** Whether no other user may have the same value. */
  readonly unique: boolean
  /** Those that can be chosen now. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly rules: Readonly<Record<string, unknown>>
  /** The value to show: what the user entered, otherwise the stored one; null if there is none. */
  readonly value: unknown
  /** The message of the service or of `validate`. */
  readonly error: string | undefined
  /** The violated rule with its parameters, to write a message of your own. */
  readonly errorDetails: FieldDetail | undefined
  /** The tenant's own text for the violated rule, in the form's language. */
  readonly message: string | undefined
  /** Whether the value differs from the stored one. */
  readonly isChanged: boolean
}

/** A step of a form with its texts in the form's language. */
export interface ProfileFormStep {
  readonly step: string
  readonly title: string | undefined
  readonly description: string | undefined
  /** The address that the user must verify to complete the step; it then has no fields. */
  readonly verify: 'email' | 'phone' | undefined
  readonly isCurrent: boolean
  /** Whether what is saved completes the step. */
  readonly isComplete: boolean
  /** Required fields without a saved value. */
  readonly missing: readonly string[]
  /** Fields that the user can change, with a saved value that the schema no longer accepts; known with `validate`. */
  readonly invalid: readonly string[]
}

/** A group of fields with its texts in the form's language. */
export interface ProfileFormSection {
  readonly section: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly fields: readonly ProfileFormField[]
}

/** What a form shows, in its language. */
export interface ProfileFormView {
  readonly fields: readonly ProfileFormField[]
  readonly sections: readonly ProfileFormSection[]
  readonly steps: readonly ProfileFormStep[]
}

/** The sections of a form or its current step, or of the presentation; one with all fields if there is none. */
export function viewOf(
  schema: ProfileSchema,
  form: string | undefined,
  locale: string,
  values: ProfileFormValues,
  shown: ShownForm,
): ProfileFormView {
  const say = (text: LocalizedText | undefined) => localized(text, locale)
  const all = shown.fields.flatMap((field) =>
    schema.components.filter(({ name }) => name === field).map((component) => fieldOf(component, say, values, shown)),
  )
  const named = (names: readonly string[]) => names.flatMap((name) => all.find((one) => one.name === name) ?? [])
  const of = ({ title, description }: { title?: LocalizedText; description?: LocalizedText }) => ({
    title: say(title),
    description: say(description),
  })
  const sections =
    form === undefined && schema.presentation.length > 0
      ? schema.presentation
          // Conditions can hide all fields of a section.
          .filter(({ fields }) => fields.length === 0 || named(fields).length > 0)
          .map((section) => ({ section: section.section, ...of(section), fields: named(section.fields) }))
      : [{ section: shown.step?.step ?? form ?? '', ...of(shown.layout), fields: all }]
  const steps = shown.steps.map(({ step, verify, complete, missing, invalid, ...texts }) => ({
    step,
    ...of(texts),
    verify,
    isCurrent: step === shown.step?.step,
    isComplete: complete,
    missing,
    invalid,
  }))
  return { fields: all, sections, steps }
}

function fieldOf(
  component: ProfileComponent & { readonly options?: readonly ComponentOption[]; readonly unique?: boolean },
  say: (text: LocalizedText | undefined) => string | undefined,
  { entered, errors, details }: ProfileFormValues,
  { required, values, now, before }: ShownForm,
): ProfileFormField {
  const { name, type, control, label, rules = {}, options = [], unique } = component
  const detail = ownValue(details, name)
  return {
    name,
    type,
    control,
    label: say(label) ?? name,
    description: say(component.description),
    placeholder: say(component.placeholder),
    required: component.required === true || required.includes(name) || now.holds(component.requiredWhen),
    writable: before.isWritable(name),
    unique: unique === true,
    options: options
      .filter(({ when }) => now.holds(when, true))
      .map(({ value, label }) => ({ value, label: say(label) ?? value })),
    rules,
    value: ownValue(values, name) ?? null,
    error: ownValue(errors, name),
    errorDetails: detail,
    message: say(detail && ownValue(component.messages ?? {}, detail.rule)),
    isChanged: Object.hasOwn(entered, name),
  }
}

/** The text in the language, or in the next general one (`fr-CA`, `fr`), or else the default. */
function localized(text: LocalizedText | undefined, locale: string): string | undefined {
  if (typeof text !== 'object') return text
  for (let sought = locale.toLowerCase(); sought !== ''; sought = sought.replace(/-?[^-]*$/, '')) {
    const found = Object.entries(text).findLast(([tag]) => tag.toLowerCase() === sought)
    if (found) return found[1]
  }
  return text.default
}
