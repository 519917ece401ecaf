import assert from 'node:assert/strict'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { StoredProfileSchema } from '../../../contract/profile-schema.ts'
import { compareProfileSchemas } from './compare-profile-schemas.ts'
import { type CompiledProfileSchema, compileProfileSchema } from './compile-profile-schema.ts'
import { defineProfileSchema } from './define/define-profile-schema.ts'
import type { SchemaComponent } from './schema-component.ts'

/** Noon of 21 November 2025, UTC: the current time of the tests. */
export const NOW = Date.UTC(2025, 10, 21, 12)

/** The message of every rule without a separate one. */
export const REFUSED = 'Validation rule not met'

/** The circumstances of an update: by a client, or by the operator, of a stored profile. */
export const client = (current: ProfileValues | null = null) => ({ now: NOW, operator: false, current })
export const operator = (current: ProfileValues | null = null) => ({ now: NOW, operator: true, current })

/** The schema as published; fails the test when it is invalid. */
export function defined(input: object): StoredProfileSchema {
  const outcome = defineProfileSchema(input)
  assert.ok('schema' in outcome, JSON.stringify(outcome))
  return outcome.schema
}

/** The problems of a schema; fails the test when it has none. */
export function problemsOf(input: unknown): Record<string, string> {
  const outcome = defineProfileSchema(input)
  assert.ok('validation' in outcome, 'the schema should have been refused')
  for (const message of Object.values(outcome.validation)) assert.ok(message.length > 10, message)
  return outcome.validation
}

/** A compiled schema of these components and other properties. */
export function compiled(components: object[], more: object = {}): CompiledProfileSchema {
  return compileProfileSchema(defined({ components, ...more }))
}

/** Validates single values for one component: the message, or null when the value is accepted unchanged. */
export function judgeOf(component: Omit<SchemaComponent, 'name'>): (value: unknown, now?: number) => string | null {
  const schema = compiled([{ name: 'field', ...component }])
  return (value, now = NOW) => {
    const judged = schema.validate({ field: value }, { ...client(), now })
    if ('validation' in judged) return judged.validation['field'] ?? null
    assert.deepEqual(judged.values, { field: value })
    return null
  }
}

/** Asserts that a component gives each value the same message; null: it is accepted. */
export function assertAll(component: Omit<SchemaComponent, 'name'>, message: string | null, values: unknown[]): void {
  const judge = judgeOf(component)
  for (const value of values) assert.equal(judge(value), message, JSON.stringify(value))
}

/** What `compareProfileSchemas` reports between two lists of components: the field and the kind of each change. */
export const changes = (before: object[], after: object[], more: object = {}, moreBefore: object = {}): string[] =>
  compareProfileSchemas(defined({ components: before, ...moreBefore }), defined({ components: after, ...more })).map(
    ({ field, kind }) => `${field} ${kind}`,
  )
