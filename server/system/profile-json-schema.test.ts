import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { parse } from 'jsonc-parser'
import { profileJsonSchema } from './profile-json-schema.ts'

const validate = new Ajv({ strict: false, allErrors: true }).compile(profileJsonSchema())
const starting = (): object =>
  parse(readFileSync(new URL('../../cli/schema/starting-schema.jsonc', import.meta.url), 'utf8')) as object

test('accepts the starting file of the command line tool', () => {
  assert.ok(validate(starting()), validate.errors?.map(({ instancePath }) => instancePath).join(' '))
})

test('knows the rules of each type', () => {
  const accepts = (component: object) => validate({ components: [{ name: 'a', ...component }] })
  assert.ok(accepts({ type: 'date', rules: { minAge: 16 } }))
  assert.ok(!accepts({ type: 'text', rules: { minAge: 16 } }))
  assert.ok(!accepts({ type: 'select' }))
  assert.ok(!accepts({ type: 'boolean', unique: true }))
  assert.ok(!accepts({ type: 'nope' }))
  assert.ok(!accepts({ type: 'text', requierd: true }))
})

test('describes nested conditions', () => {
  const accepts = (visibleWhen: object) => validate({ components: [{ name: 'a', type: 'text', visibleWhen }] })
  assert.ok(accepts({ all: [{ field: 'b', is: 1 }, { not: { any: [{ field: 'c', set: true }] } }] }))
  assert.ok(!accepts({ all: [{ field: 'b', equals: 1 }] }))
})
