import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireHarmless } from './schema-report.ts'

const nothing = { changes: [], failingFields: null, uncastable: null, duplicates: null, untranslated: {}, warnings: [] }
const harmless = { ...nothing, effect: 'new' as const, profiles: null, failingProfiles: null }

test('fails on a schema that cannot be published while another version is building', () => {
  assert.doesNotThrow(() => requireHarmless(harmless))
  assert.throws(() => requireHarmless({ ...harmless, effect: 'waiting' }), {
    message: 'Publishing this schema would fail: another version is building; wait until it is current.',
  })
})
