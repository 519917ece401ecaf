import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Role, roles } from '../../contract/scopes.ts'
import { levelOf, mayGrant, roleOf, withLevel, withSingle } from './grants.ts'

test('a role is known by its scopes, in any order', () => {
  for (const role of Object.keys(roles) as Role[]) assert.equal(roleOf(roles[role].toReversed()), role)
  assert.equal(roleOf(['users:read']), null)
  assert.equal(roleOf([...roles.support, 'codes:read']), null)
})

describe('the level of an area', () => {
  test('follows from the scopes', () => {
    assert.equal(levelOf(['users:read'], 'users'), 'read')
    assert.equal(levelOf(['users:write'], 'users'), 'write')
    assert.equal(levelOf(['users:export'], 'users'), 'none')
    assert.equal(levelOf(['*'], 'operators'), 'write')
  })

  test('changes alone: the single scopes of its name stay', () => {
    assert.deepEqual(withLevel(['users:write', 'users:delete', 'keys:read'], 'users', 'read'), [
      ...['users:delete', 'keys:read', 'users:read'],
    ])
    assert.deepEqual(withLevel(['users:write', 'users:delete'], 'users', 'none'), ['users:delete'])
  })

  test('below everything leaves everything else', () => {
    const scopes = withLevel(['*'], 'operators', 'none')
    assert.equal(levelOf(scopes, 'operators'), 'none')
    assert.equal(levelOf(scopes, 'users'), 'write')
    assert.ok(scopes.includes('codes:read') && !scopes.includes('*'))
  })
})

test('a single scope is added once and removed', () => {
  assert.deepEqual(withSingle(['codes:read'], 'codes:read', true), ['codes:read'])
  assert.deepEqual(withSingle(['users:read', 'codes:read'], 'codes:read', false), ['users:read'])
})

test('operators grant only what they have', () => {
  assert.ok(mayGrant(['*'], ['*']))
  assert.ok(mayGrant(['users:write'], ['users:read']))
  assert.ok(!mayGrant(['users:read'], ['users:write']))
  assert.ok(!mayGrant(roles.admin, roles.owner))
})
