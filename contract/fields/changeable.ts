import { compileCondition, type FieldReader } from './conditions/compile-condition.ts'
import type { FieldComponent } from './field-component.ts'
import type { ProfileValues } from './field-type.ts'
import { ownValue } from './profile-values.ts'

/**
 * Whether the user can change the value of a field. The service and forms in apps decide by it whether a refused value keeps a
 * step open; if they disagreed, a form would be asked for again and again.
 */
export const isChangeable = (
  { name, writable, writeOnce }: FieldComponent,
  read: FieldReader,
  isLocked: boolean,
): boolean => writable !== false && !(writeOnce && read(name) !== null) && !isLocked

/**
 * The fields whose values the user can change.
 * @param values the stored profile as it is shown to the operator
 * @param unproven fields that `writeOnce` does not bind, because another person may have stored them
 */
export function changeableFields(
  components: readonly FieldComponent[],
  values: ProfileValues,
  unproven: readonly string[] = [],
): string[] {
  const read: FieldReader = (name) => ownValue(values, name) ?? null
  return components
    .filter((component) => {
      const { name, writeOnce, lockedWhen } = component
      const isLocked = lockedWhen !== undefined && compileCondition(lockedWhen)(read)
      return isChangeable({ ...component, writeOnce: writeOnce && !unproven.includes(name) }, read, isLocked)
    })
    .map(({ name }) => name)
}
