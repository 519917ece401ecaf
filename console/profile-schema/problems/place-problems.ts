import type { Draft } from '../draft.ts'
import { placeInField } from './place-in-field.ts'
import type { MemberPlace } from './place-parts.ts'
import { conditionPlace, textPlace } from './place-parts.ts'

/** Where a control is. Addresses do not change when something is moved or renamed. */
export interface ControlPlace {
  readonly view: 'fields' | 'forms' | 'migrations' | 'json'
  /** The row: `field:<key>`, `section:<key>`, `form:<name>`, `migration:<index>`; `''` for the document. */
  readonly owner: string
  /** The tab of a field's settings. */
  readonly tab?: string
  /** The address of the control; that of the owner where there is none. */
  readonly control: string
}

/** A message of the server with the control that it is about. */
export interface PlacedProblem extends ControlPlace {
  /** Of the document that was checked. */
  readonly path: string
  readonly message: string
}

/** @param checked the draft that the server was asked about */
export const placeProblems = (checked: Draft, problems: Readonly<Record<string, string>>): PlacedProblem[] =>
  Object.entries(problems).map(([path, message]) => ({ path, message, ...placeOf(checked, path.split('.')) }))

function placeOf(draft: Draft, [part, name = '', ...rest]: readonly string[]): ControlPlace {
  if (part === 'components') {
    const index = draft.fields.findIndex((field) => field.name === name)
    const field = draft.fields[index < 0 ? indexOf(name) : index]
    if (field !== undefined) return where('fields', `field:${field.key}`, placeInField(field, rest))
  }
  if (part === 'presentation') {
    const section = draft.sections[indexOf(name)]
    if (section !== undefined) return where('fields', `section:${section.key}`, placeInSection(rest))
  }
  if (part === 'forms' && Object.hasOwn(draft.forms, name)) {
    return where('forms', `form:${name}`, placeInForm(draft, name, rest))
  }
  if (part === 'migrations' && name !== '') return where('migrations', `migration:${name}`, {})
  const views = { components: 'fields', presentation: 'fields', forms: 'forms', migrations: 'migrations' } as const
  return { view: views[part as keyof typeof views] ?? 'json', owner: '', control: '' }
}

function where(view: ControlPlace['view'], owner: string, { member, tab }: MemberPlace): ControlPlace {
  return { view, owner, ...(tab && { tab }), control: member === undefined ? owner : `${owner}.${member}` }
}

const indexOf = (name: string): number => (/^\d+$/.test(name) ? Number(name) : -1)

function placeInSection([member, ...rest]: readonly string[]): MemberPlace {
  if (member === 'section') return { member }
  return member === 'title' || member === 'description' ? { member: textPlace(member, rest) } : {}
}

function placeInForm(draft: Draft, name: string, path: readonly string[]): MemberPlace {
  const form = draft.forms[name]!
  const [member = '', index = '', ...rest] = path
  if (member === 'steps' && form.steps !== undefined) {
    const step = form.steps[indexOf(index)]
    if (step === undefined) return { member: 'steps' }
    const at = `steps.${index}`
    const [inside = '', ...more] = rest
    if (inside === 'step' || inside === 'verify') return { member: `${at}.${inside}` }
    if (inside === 'visibleWhen') return { member: `${at}.${conditionPlace(inside, step.visibleWhen, more)}` }
    return { member: `${at}.${placeInShown(step, rest) ?? 'step'}` }
  }
  if (member === 'prompt' || member === 'promptAgainDays') {
    const isShown = name !== 'signUp' && (member === 'prompt' || form.prompt !== undefined)
    return isShown ? { member } : {}
  }
  const shown = form.steps === undefined ? placeInShown(form, path) : textOf(path)
  return shown === undefined ? {} : { member: shown }
}

const textOf = ([member = '', ...rest]: readonly string[]): string | undefined =>
  member === 'title' || member === 'description' ? textPlace(member, rest) : undefined

interface Shown {
  readonly fields?: readonly string[]
  readonly required?: readonly string[]
}

/** The fields of a form or a step are rows by index; that one is required is a box in its row. */
function placeInShown({ fields = [], required = [] }: Shown, path: readonly string[]): string | undefined {
  const [member = '', index = ''] = path
  if (member === 'fields') return fields[indexOf(index)] === undefined ? 'fields' : `fields.${index}`
  if (member !== 'required') return textOf(path)
  const row = fields.indexOf(required[indexOf(index)] ?? '')
  return row < 0 ? 'fields' : `required.${row}`
}
