import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProfileComponent } from '../../../contract/profile-schema/component.ts'
import { typesOfFlag } from '../../../contract/profile-schema/field-access.ts'
import { fieldKinds } from './kinds.ts'

const shapes = ProfileComponent.options.map(({ shape }) => ({ type: shape.type.value, shape }))

test('the contract declares for each type the rules that publishing accepts', () => {
  for (const { type, shape } of shapes) {
    const declared = Object.keys(shape.rules.unwrap().shape)
    assert.deepEqual(
      Object.keys(fieldKinds[type].rules).sort(),
      declared.sort(),
      `rules of ${type}: its FieldKind and contract/profile-schema/component.ts differ`,
    )
  }
})

test('the contract declares each flag for the types that may have it', () => {
  for (const [flag, types] of Object.entries(typesOfFlag)) {
    const declared = shapes.filter(({ shape }) => flag in shape).map(({ type }) => type)
    assert.deepEqual(
      types.toSorted(),
      declared.sort(),
      `typesOfFlag.${flag} and contract/profile-schema/component.ts differ`,
    )
  }
})
