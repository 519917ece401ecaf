import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lackingFor } from './lacking.ts'
import type { Grant } from './operator.ts'

const all: Grant = { scopes: ['*'], tenantIds: null, expiresAt: null }

test('an operator can give what they have, and parts of it', () => {
  const own: Grant = { scopes: ['users:write', 'codes:read'], tenantIds: ['a', 'b'], expiresAt: 10 }
  for (const given of [
    own,
    { ...own, scopes: ['users:read'] },
    { ...own, scopes: [] },
    { ...own, tenantIds: ['b'] },
    { ...own, expiresAt: 9 },
  ] satisfies Grant[]) {
    assert.equal(lackingFor(own, given), null)
    assert.equal(lackingFor(all, given), null)
  }
  assert.equal(lackingFor(all, all), null)
})

test('names the first thing that an operator lacks', () => {
  const own: Grant = { scopes: ['users:write', 'users:read'], tenantIds: ['a'], expiresAt: 10 }
  assert.equal(lackingFor(own, { ...own, scopes: ['users:read', 'users:delete'] }), 'users:delete')
  assert.equal(lackingFor({ ...own, scopes: ['users:read'] }, { ...own, scopes: ['users:write'] }), 'users:write')
  assert.equal(lackingFor(own, { ...own, scopes: ['*'] }), '*')
  assert.equal(lackingFor(own, { ...own, tenantIds: ['a', 'b'] }), 'all tenants')
  assert.equal(lackingFor(own, { ...own, tenantIds: null }), 'all tenants')
  assert.equal(lackingFor(own, { ...own, expiresAt: 11 }), 'later expiry')
  assert.equal(lackingFor(own, { ...own, expiresAt: null }), 'later expiry')
})
