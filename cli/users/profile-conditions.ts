import { InvalidArgumentError } from 'commander'
import type { TenantryAdmin } from '../../packages/client/src/admin.ts'

/** Conditions on profile fields as parameters of the list of users. */
export type ProfileConditions = Pick<NonNullable<Parameters<TenantryAdmin['listUsers']>[1]>, `profile.${string}`>

export const profileOption = [
  '--profile <field=value>',
  'only users with this value in a searchable profile field, such as city=paris, name.prefix=an or age.min=18; up to 3',
  addCondition,
] as const

/** Adds a condition to those of the options before it. */
function addCondition(text: string, before: ProfileConditions = {}): ProfileConditions {
  const equals = text.indexOf('=')
  const name = `profile.${text.slice(0, equals)}` as const
  if (equals < 1 || equals === text.length - 1) {
    throw new InvalidArgumentError('Must have the form field=value, such as city=paris or age.min=18.')
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError('Specify each condition once.')
  return { ...before, [name]: text.slice(equals + 1) }
}
