import { checkClaim } from './claim-value.ts'
import type { FieldComponent } from './field-component.ts'
import type { FieldCheck, FieldEngines, FieldNormalisation, ProfileValues } from './field-type.ts'
import { fieldTypes } from './field-types.ts'
import type { JsonValue } from './json-value.ts'
import { ownValue } from './profile-values.ts'

/** One field of a schema with its compiled check. */
export interface CompiledField {
  readonly name: string
  readonly required: boolean
  readonly writable: boolean
  readonly writeOnce: boolean
  readonly readable: boolean
  readonly keepsStored: boolean
  readonly holds: (value: JsonValue) => boolean
  readonly check: FieldCheck
  readonly checkStored: FieldCheck
  readonly normalise: FieldNormalisation | undefined
}

/** @throws TypeError for an unknown field type */
export function compileField(component: FieldComponent, engines: FieldEngines): CompiledField {
  const { name, type, rules, options, required, writable, writeOnce, readable } = component
  const fieldType = ownValue(fieldTypes, type)
  if (fieldType === undefined) throw new TypeError(`There is no profile field type ${type}`)
  const check = fieldType.compile(rules ?? {}, options ?? [], engines)
  const checkStored = engines.compileStored?.(type, rules ?? {}, options ?? []) ?? check
  return {
    name,
    required: required === true,
    writable: writable !== false,
    writeOnce: writeOnce === true,
    readable: readable !== false,
    keepsStored: fieldType.keepsStored === true,
    holds: fieldType.holds,
    check: component.claim === true ? checkClaim(check) : check,
    checkStored: component.claim === true ? checkClaim(checkStored) : checkStored,
    normalise: fieldType.compileNormalisation?.(rules ?? {}),
  }
}

/** The stored value that still has the field's JSON type; null when there is none. */
export function heldValue({ name, holds }: CompiledField, values: ProfileValues): JsonValue {
  const value = ownValue(values, name)
  return value !== undefined && value !== null && holds(value) ? value : null
}
