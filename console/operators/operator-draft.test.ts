import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '../../contract/scopes.ts'
import { bodyOf, changesOf, draftOf, newDraft } from './operator-draft.ts'
import type { Operator } from './operators-queries.ts'

const ada: Operator = {
  ...{ id: 'ada', name: 'Ada', email: 'ada@example.com', scopes: [...roles.support], tenantIds: ['acme'] },
  ...{ createdBy: 'root', createdAt: '2026-01-01T00:00:00.000Z', revokedAt: null, lastUsedAt: null },
  // Stored to the millisecond, shown to the minute.
  expiresAt: '2027-01-01T00:00:12.345Z',
}

test('a new operator has a role, and no more than was chosen', () => {
  assert.deepEqual(bodyOf({ ...newDraft(null), name: 'Ada', email: ' ' }), {
    ...{ name: 'Ada', role: 'support', tenantIds: null },
  })
  const custom = { ...newDraft(['acme']), name: 'CI', role: null, scopes: ['users:read'] as const }
  assert.deepEqual(bodyOf(custom), { name: 'CI', scopes: ['users:read'], tenantIds: ['acme'] })
})

test('an unchanged form changes nothing', () => {
  assert.deepEqual(changesOf(ada, draftOf(ada), ada), {})
  assert.deepEqual(changesOf(ada, { ...draftOf(ada), scopes: roles.support.toReversed() }, ada), {})
})

test('only what was changed is sent, and what was emptied is removed', () => {
  const draft = draftOf(ada)
  assert.deepEqual(changesOf(ada, { ...draft, name: 'Ada L.' }, ada), { name: 'Ada L.' })
  assert.deepEqual(changesOf(ada, { ...draft, email: '', end: '', tenantIds: null }, ada), {
    ...{ email: null, tenantIds: null, expiresAt: null },
  })
  assert.deepEqual(changesOf(ada, { ...draft, role: 'auditor', scopes: roles.auditor }, ada), {
    scopes: ['events:read'],
  })
})

test('what another operator granted or took away meanwhile stays', () => {
  const begun: Operator = { ...ada, scopes: ['users:read', 'users:write'], tenantIds: ['acme', 'bank'] }
  const now: Operator = { ...begun, scopes: ['users:read', 'keys:read'], tenantIds: ['bank', 'shop'] }
  const draft = { ...draftOf(begun), scopes: [...begun.scopes, 'events:read'] as const, tenantIds: ['acme', 'cafe'] }
  assert.deepEqual(changesOf(begun, draft, now), {
    ...{ scopes: ['users:read', 'keys:read', 'events:read'], tenantIds: ['shop', 'cafe'] },
  })
})
