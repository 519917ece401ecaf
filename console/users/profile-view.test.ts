import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredProfileSchema } from '../../packages/client/src/admin.ts'
import { nothingTyped, profileSections } from './profile-view.ts'

const schema: StoredProfileSchema = {
  version: '1',
  components: [
    { name: 'risk', type: 'integer', readable: false },
    { name: 'reason', type: 'text', readable: false, visibleWhen: { field: 'risk', set: true } },
  ],
  presentation: [],
  forms: {},
  migrations: [],
}

test('hides fields by the values that only the operator reads, also while they are unset', () => {
  const shown = (stored: object, entered: object = {}) =>
    profileSections(schema, { ...stored }, { ...nothingTyped, entered: { ...entered } }, 'en')
      .flatMap(({ fields }) => fields)
      .map(({ name }) => name)
  assert.deepEqual(shown({ risk: null, reason: null }), ['risk'])
  assert.deepEqual(shown({ risk: null, reason: null }, { risk: 3 }), ['risk', 'reason'])
  assert.deepEqual(shown({ risk: 3, reason: 'x' }), ['risk', 'reason'])
})
