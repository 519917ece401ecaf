import type { FieldReader } from './conditions/compile-condition.ts'
import type { FieldComponent } from './field-component.ts'

/**
 * Whether the user can change the value of a field. The service and forms in apps decide by it whether a refused value keeps a
 * step open; if they disagreed, a form would be asked for again and again.
 */
export const isChangeable = (
  { name, writable, writeOnce }: FieldComponent,
  read: FieldReader,
  isLocked: boolean,
): boolean => writable !== false && !(writeOnce && read(name) !== null) && !isLocked
