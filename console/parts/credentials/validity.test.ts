import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Validity, validityOf } from './validity.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const cases: readonly (readonly [expiresAt: string | null, revokedAt: string | null, Validity])[] = [
  [null, null, 'active'],
  ['2026-03-10T12:00:00Z', null, 'expired'],
  ['2026-03-10T12:00:01Z', null, 'ending'],
  ['2026-03-17T11:59:59Z', null, 'ending'],
  ['2026-03-17T12:00:00Z', null, 'active'],
  [null, '2026-03-10T12:00:00Z', 'revoked'],
  ['2026-03-01T12:00:00Z', '2026-03-02T12:00:00Z', 'revoked'],
]
for (const [expiresAt, revokedAt, state] of cases) {
  test(`what expires ${expiresAt ?? 'never'}, revoked ${revokedAt ?? 'never'}, is ${state}`, () =>
    assert.equal(validityOf({ expiresAt, revokedAt }, now), state))
}
