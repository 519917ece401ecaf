import { isLongerThan, isSoundText } from '../../../../contract/fields/sound-text.ts'
import { MAX_VERSION_LENGTH } from '../../../../contract/fields/types/consent.ts'
import type { FieldKind } from '../field-kind.ts'
import { flag, unordered } from '../rules.ts'

export const consent: FieldKind = {
  takesOptions: false,
  rules: { version: unordered(refuseVersion), mustBeTrue: flag },
}

function refuseVersion(value: unknown): string | null {
  const isVersion =
    typeof value === 'string' && value !== '' && isSoundText(value) && !isLongerThan(value, MAX_VERSION_LENGTH)
  return isVersion ? null : `must be a string of 1 to ${MAX_VERSION_LENGTH} characters, such as "2026-01"`
}
