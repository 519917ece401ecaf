import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoToLocal, localToIso } from './local-time.ts'

for (const iso of ['2026-03-10T12:34:00.000Z', '2026-07-01T00:00:00.000Z', '2025-12-31T23:59:00.000Z'])
  test(`${iso} is the same moment after an input of local time`, () => assert.equal(localToIso(isoToLocal(iso)), iso))

test('a moment that the language does not know is left to the server to refuse', () =>
  assert.equal(localToIso('12026-01-01T00:00'), '12026-01-01T00:00'))
