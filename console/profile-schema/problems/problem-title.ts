import type { Draft } from '../draft.ts'
import { ruleTexts } from '../fields/rule-texts.ts'
import { languageName, wordingIn } from '../languages.ts'
import type { PlacedProblem } from './place-problems.ts'

const words: Readonly<Record<string, string>> = {
  ...{
    name: 'Name',
    type: 'Type',
    label: 'Label',
    description: 'Description',
    placeholder: 'Placeholder',
    title: 'Title',
  },
  ...{ control: 'Shown as', required: 'Required', options: 'Options', rules: 'Rules', messages: 'Your own messages' },
  ...{ visibleWhen: 'Shown only while', requiredWhen: 'Required while', lockedWhen: 'Locked while' },
  ...{ writable: 'Users can change it', readable: 'Users can read it', writeOnce: 'Can be set once' },
  ...{ sensitive: 'Sensitive', searchable: 'Searchable', unique: 'Unique', uniqueBy: 'Values are the same' },
  ...{ claim: 'In access tokens', claimFromUser: 'Users may write the claim', section: 'Name', fields: 'Fields' },
  ...{ prompt: 'Ask for it after sign-in', promptAgainDays: 'Ask again after', steps: 'Steps', verify: 'The user' },
}

/** Where a problem is, such as `Last name: Pattern`; the path where the draft does not have that any more. */
export function problemTitle(draft: Draft, { path, owner, control }: PlacedProblem): string {
  const [kind, ...key] = owner.split(':')
  const id = key.join(':')
  const member = control === owner ? '' : control.slice(owner.length + 1)
  if (kind === 'field') {
    const field = draft.fields.find((one) => one.key === id)
    if (field === undefined) return path
    const [first = '', second = ''] = member.split('.')
    const word = first === 'rules' && second !== '' ? ruleTexts(field.type, second).label : memberWords(member)
    return joined(wordingIn(field.label) || field.name, first === 'description' ? 'Help text' : word)
  }
  if (kind === 'section') {
    const section = draft.sections.find((one) => one.key === id)
    return section === undefined
      ? path
      : joined(`Section ${wordingIn(section.title) || section.section}`, memberWords(member))
  }
  if (kind === 'form') {
    const form = draft.forms[id]
    return form === undefined ? path : joined(`Form ${wordingIn(form.title) || id}`, memberWords(member))
  }
  return kind === 'migration' ? `Migration step ${Number(id) + 1}` : path || 'Profile schema'
}

const joined = (title: string, member: string): string => (member === '' ? title : `${title}: ${member}`)

/** `options.0.label.fr` → `Option 1, Label, French (fr)`. */
function memberWords(member: string): string {
  if (member === '') return ''
  const [first = '', second = '', ...rest] = member.split('.')
  const inside = rest.length === 0 ? '' : `, ${memberWords(rest.join('.'))}`
  if (first === 'steps' && second !== '') return `Step ${Number(second) + 1}${rest[0] === 'step' ? '' : inside}`
  if (first === 'options' && second !== '') return `Option ${Number(second) + 1}${rest[0] === 'value' ? '' : inside}`
  if (first === 'when') return 'Can be chosen only while'
  if (first === 'messages' && second !== '') return `Message of ${second}`
  const isText = ['label', 'description', 'placeholder', 'title'].includes(first) && second !== ''
  const isRow = (first === 'fields' || first === 'required') && second !== ''
  const word = isRow && first === 'required' ? 'Required' : (words[first] ?? first)
  return isText ? `${word}, ${languageName(second)}` : isRow ? `${word} ${Number(second) + 1}` : word
}
