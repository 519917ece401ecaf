import type { Conflict } from './conflicts.ts'

const parts: Readonly<Record<string, string>> = {
  ...{ name: 'name', label: 'label', description: 'help text', placeholder: 'placeholder', title: 'title' },
  ...{
    required: 'required',
    writeOnce: 'can be set once',
    searchable: 'searchable',
    control: 'shown as',
    rules: 'rules',
  },
  ...{ access: 'access', type: 'type', visibleWhen: 'shown only while', requiredWhen: 'required while' },
  ...{ lockedWhen: 'locked while', when: 'can be chosen only while', value: 'value', section: 'name', step: 'name' },
  ...{ place: 'section', content: 'content', prompt: 'form' },
}

const ofSchema: Readonly<Record<string, string>> = {
  prompt: 'The form that users are asked for after sign-in',
  searchable: 'Searchable fields: a schema can have 10',
  claim: 'Fields in access tokens: a schema can have 5',
}

/** What a conflict is about, such as `Field “Last name”: label`. */
export function conflictTitle({ place: { what, name }, part }: Conflict): string {
  if (what === 'schema') return ofSchema[part] ?? part
  const owner = `${what[0]!.toUpperCase()}${what.slice(1)} “${name}”`
  if (part === 'removed') return `${owner} was removed by one and changed by the other`
  if (part.startsWith('step in ')) return `${owner}: step of form “${part.slice('step in ='.length)}”`
  const [member = '', inside] = part.split(/\.(.*)/s)
  if (member === 'messages') return `${owner}: message of ${inside}`
  // Only fields show their description as a help text.
  const word = what !== 'field' && member === 'description' ? 'description' : (parts[member] ?? member)
  return `${owner}: ${word}${inside === undefined ? '' : ` in ${inside}`}`
}

/** One of its two values. */
export function shownValue(conflict: Conflict, value: unknown): string {
  if (conflict.part === 'removed') return value === undefined ? 'Removed' : 'Stays, as it was changed'
  return words(value) || 'None'
}

function words(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(words).filter(Boolean).join(', ')
  if (typeof value !== 'object') return String(value)
  const { step, value: option } = value as Readonly<Record<string, unknown>>
  if (typeof step === 'string') return step
  if (typeof option === 'string') return option
  return Object.entries(value)
    .map(([member, inside]) => [member, words(inside)])
    .filter(([, inside]) => inside !== '')
    .map(([member, inside]) => `${member}: ${inside}`)
    .join('; ')
}
