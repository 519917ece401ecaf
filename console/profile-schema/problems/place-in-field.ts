import type { DraftField } from '../draft.ts'
import { controlsOf, type Flag, rulesOf, takesFlag, takesOptions, takesPlaceholder } from '../fields/field-kinds.ts'
import type { MemberPlace } from './place-parts.ts'
import { conditionPlace, textPlace } from './place-parts.ts'

const conditions = ['visibleWhen', 'requiredWhen', 'lockedWhen'] as const

/** The control of a field's settings that a path below the field is about. Members that the type does not have, have none. */
export function placeInField(field: DraftField, [member = '', ...rest]: readonly string[]): MemberPlace {
  const { type } = field
  if (member === 'label' || member === 'description' || (member === 'placeholder' && takesPlaceholder(type))) {
    return { tab: 'basics', member: textPlace(member, rest) }
  }
  if (['name', 'type', 'required'].includes(member)) return { tab: 'basics', member }
  if (member === 'control' && controlsOf(type).length > 0) return { tab: 'basics', member }
  if (member === 'options' && takesOptions(type)) return { tab: 'options', member: placeInOptions(field, rest) }
  if (member === 'rules') {
    const [rule = ''] = rest
    return { tab: 'rules', member: Object.hasOwn(rulesOf(type), rule) ? `rules.${rule}` : 'rules' }
  }
  if (member === 'messages') {
    const [rule = '', ...language] = rest
    const isShown = field.messages !== undefined && Object.hasOwn(field.messages, rule)
    return { tab: 'rules', member: isShown ? textPlace(`messages.${rule}`, language) : 'messages' }
  }
  for (const key of conditions) {
    if (member === key) return { tab: 'conditions', member: conditionPlace(key, field[key], rest) }
  }
  return hasSwitch(field, member) ? { tab: 'access', member } : {}
}

function hasSwitch({ type, unique, claim }: DraftField, member: string): boolean {
  if (['writable', 'readable', 'writeOnce', 'sensitive'].includes(member)) return true
  if (member === 'uniqueBy') return unique === true
  if (member === 'claimFromUser') return claim === true
  return ['unique', 'searchable', 'claim'].includes(member) && takesFlag(type, member as Flag)
}

function placeInOptions({ options = [] }: DraftField, [index = '', member = '', ...rest]: readonly string[]): string {
  const option = options[Number(index)]
  if (index === '' || option === undefined) return 'options'
  const at = `options.${index}`
  if (member === 'label') return `${at}.${textPlace(member, rest)}`
  return member === 'when' ? `${at}.${conditionPlace(member, option.when, rest)}` : `${at}.value`
}
