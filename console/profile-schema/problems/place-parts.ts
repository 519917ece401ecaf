import type { Condition } from '../draft.ts'

/** A control inside its owner; without a member, the owner itself. */
export interface MemberPlace {
  readonly member?: string
  readonly tab?: string
}

/** The input of a text: that of one language, or of all others. */
export function textPlace(member: string, [language]: readonly string[]): string {
  return language === undefined || language === 'default' ? member : `${member}.${language}`
}

/** The control of a condition: a combination, the field that is read, or the value that it is compared with. */
export function conditionPlace(member: string, condition: Condition | undefined, path: readonly string[]): string {
  let [level, address] = [condition, member]
  const rest = [...path]
  while (level !== undefined && !('field' in level) && rest.length > 0) {
    const key = rest.shift()!
    const next: Condition | undefined =
      key === 'not' && 'not' in level ? level.not : partsOf(level, key)?.[Number(rest[0] ?? -1)]
    if (next === undefined) return address
    // A combination shows its parts by index; `not` has one.
    address = key === 'not' ? `${address}.0` : `${address}.${rest.shift()}`
    level = next
  }
  const [operand] = rest
  if (operand === 'field' || operand === 'min' || operand === 'max') return `${address}.${operand}`
  return operand === undefined ? address : `${address}.value`
}

function partsOf(condition: Condition, key: string): readonly Condition[] | undefined {
  if (key === 'all' && 'all' in condition) return condition.all
  return key === 'any' && 'any' in condition ? condition.any : undefined
}
