import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Operation, reachOf } from './operation.ts'
import { allOperations, operations } from './operations.ts'
import { areas, isGranted, roles, type Scope, scopes } from './scopes.ts'

const all: readonly [string, Operation][] = Object.entries(allOperations)
const admin = all.filter(([, { auth }]) => auth === 'admin')

/** Scopes that change nothing: reading an area, and the single scopes that give out what is stored. */
const reading = new Set<string | undefined>([
  ...areas.map((area) => `${area}:read`),
  ...['any', 'users:export', 'users:export-hashes', 'codes:read'],
])

describe('the scope of an operation', () => {
  test('is declared for every operation of operators, and for no other', () => {
    for (const [name, { auth, scope }] of all) assert.equal(scope !== undefined, auth === 'admin', name)
  })

  test('only reads when the operation is a GET, which has no body and is never repeated under a key', () => {
    for (const [name, operation] of admin) {
      if (operation.method !== 'GET') continue
      for (const scope of [operation.scope, ...Object.values(operation.queryScopes ?? {})])
        assert.ok(reading.has(scope), `${name}: a GET must not change anything, and ${scope} does`)
      assert.ok(!('body' in operation || 'bodyLines' in operation || 'idempotent' in operation), name)
    }
  })

  test('changes something when the operation is not a GET, except for checks', () => {
    const checks = admin.filter(([, { method, scope }]) => method !== 'GET' && reading.has(scope))
    assert.deepEqual(
      checks.map(([name]) => name),
      ['checkProfileSchema', 'verifyEvents', 'verifyDeploymentEvents'],
    )
  })

  test('depends only on query parameters that the operation has', () => {
    for (const [name, { query, queryScopes = {} }] of admin) {
      for (const parameter of Object.keys(queryScopes)) assert.ok(parameter in (query?.shape ?? {}), name)
    }
  })

  test('reaches a tenant that the path or the query names, or the deployment', () => {
    for (const [name, operation] of admin) {
      const namesTenant = operation.path.includes('/:tenantId')
      if (operation.reach !== undefined) assert.ok(!namesTenant, `${name}: the path decides`)
      assert.equal(reachOf(operation) === 'tenant', namesTenant, name)
      if (operation.reach === 'tenantQuery') assert.ok('tenantId' in (operation.query?.shape ?? {}), name)
    }
    assert.equal(reachOf(operations.createTenant), 'deployment')
    assert.equal(reachOf(operations.listTenants), 'own')
    assert.equal(reachOf(operations.getTenant), 'tenant')
  })
})

describe('granted scopes', () => {
  test('include themselves, reading where they write, and nothing else', () => {
    for (const granted of scopes) {
      const included = scopes.filter((scope) => isGranted([granted], scope))
      const expected = granted.endsWith(':write') ? [granted.replace(/write$/, 'read'), granted] : [granted]
      assert.deepEqual(included, expected)
    }
    assert.ok(scopes.every((scope) => isGranted(['*'], scope) && !isGranted([], scope)))
    assert.ok(!isGranted(scopes, '*'))
  })

  test('of a role are those of its description', () => {
    const includes = (role: keyof typeof roles, scope: Scope) => isGranted(roles[role], scope)
    assert.deepEqual(
      scopes.filter((scope) => !includes('admin', scope)),
      ['operators:read', 'operators:write'],
    )
    const withheld: readonly Scope[] = ['users:delete', 'users:export', 'users:export-hashes', 'codes:read']
    for (const scope of withheld) assert.ok(!includes('support', scope) && !includes('viewer', scope), scope)
    assert.deepEqual(
      scopes.filter((scope) => includes('viewer', scope)),
      areas.map((area) => `${area}:read`),
    )
    assert.deepEqual(
      scopes.filter((scope) => includes('auditor', scope)),
      ['events:read'],
    )
    assert.ok(scopes.every((scope) => includes('owner', scope)))
  })
})
