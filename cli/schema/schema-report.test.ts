import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePublication } from './publish-schema.ts'
import { describeReport, requireHarmless } from './schema-report.ts'

const nothing = { changes: [], failingFields: null, uncastable: null, duplicates: null, untranslated: {}, warnings: [] }
const harmless = { ...nothing, effect: 'new' as const, profiles: null, failingProfiles: null }

test('fails on a schema that cannot be published while another version is building', () => {
  assert.doesNotThrow(() => requireHarmless(harmless))
  assert.throws(() => requireHarmless({ ...harmless, effect: 'waiting' }), {
    message: 'Publishing this schema would fail: another version is building; wait until it is current.',
  })
})

test('describes the report and the publication of an earlier version, which have no warnings', () => {
  const { warnings: _, ...report } = harmless
  assert.match(describeReport(report as unknown as typeof harmless), /\nStored profiles were not checked; /)
  const publication = { version: '2', components: [], state: 'current' } as unknown
  const described = describePublication(publication as Parameters<typeof describePublication>[0])
  assert.equal(described, 'Version 2 is current; it has 0 field(s).')
})
