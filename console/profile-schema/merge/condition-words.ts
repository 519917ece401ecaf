import type { FieldCondition } from '../../../contract/fields/conditions/condition.ts'
import type { Condition } from '../draft.ts'

const values = (list: readonly unknown[]): string => list.map((value) => `“${value}”`).join(', ')

/** A condition in one line, such as `Account is “firm”`. */
export function conditionWords(condition: Condition, nameOf: (field: string) => string): string {
  const part = (one: Condition): string => {
    const words = conditionWords(one, nameOf)
    return 'field' in one ? words : `(${words})`
  }
  if ('all' in condition) return condition.all.map(part).join(' and ')
  if ('any' in condition) return condition.any.map(part).join(' or ')
  if ('not' in condition) return `not ${part(condition.not)}`
  return `${nameOf(condition.field)} ${comparisonWords(condition)}`
}

function comparisonWords({ is, isNot, in: some, notIn, set, min, max }: FieldCondition): string {
  if (set !== undefined) return set ? 'has a value' : 'has no value'
  if (is !== undefined) return `is ${values([is])}`
  if (isNot !== undefined) return `is not ${values([isNot])}`
  if (some !== undefined) return `is one of ${values(some)}`
  if (notIn !== undefined) return `is none of ${values(notIn)}`
  if (min === undefined) return `is at most ${max}`
  return max === undefined ? `is at least ${min}` : `is between ${min} and ${max}`
}
