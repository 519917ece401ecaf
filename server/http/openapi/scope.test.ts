import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, reachOf } from '../../../contract/operation.ts'
import { allOperations, consoleOperations, operations } from '../../../contract/operations.ts'
import { OpenApi } from './form.testkit.ts'
import { buildOpenApi } from './openapi.ts'

const document = OpenApi.parse(JSON.parse(JSON.stringify(buildOpenApi(allOperations, { version: '0.1.0' }))))

const find = ({ method, path }: Operation) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase() as 'get'] ?? assert.fail(`${method} ${path}`)

test('operations have the scope and the reach of the contract, for programs and for readers', () => {
  for (const [name, operation] of Object.entries(allOperations)) {
    const { 'x-scope': scope, 'x-reach': reach, 'x-query-scopes': queryScopes, description } = find(operation)
    assert.equal(scope, operation.scope, name)
    assert.equal(reach, operation.auth === 'admin' ? reachOf(operation) : undefined, name)
    assert.deepEqual(queryScopes, operation.queryScopes, name)
    for (const named of [operation.scope, ...Object.values(operation.queryScopes ?? {})]) {
      if (named !== undefined && named !== 'any') assert.ok(description.includes(`\`${named}\``), name)
    }
  }
  const exported = '**Scope**: `users:export`; with `passwordHashes=true` also `users:export-hashes`.'
  assert.ok(find(operations.exportUsers).description.includes(exported))
  const searched = '**Scope**: `users:read`; with `profile.…` also `profiles:read`.'
  assert.ok(find(operations.listUsers).description.includes(searched))
  assert.match(find(operations.createTenant).description, /Not available to operators bound to tenants/)
  assert.doesNotMatch(find(operations.getTenant).description, /bound to tenants/)
})

test('operations have the authentication of the contract, with declared schemes', () => {
  assert.deepEqual(find(operations.updateProfile).security, [{ TenantKey: [], UserToken: [] }])
  assert.deepEqual(find(operations.issueOtp).security, [{ TenantKey: [] }, { TenantKey: [], UserToken: [] }])
  assert.deepEqual(find(operations.resendOtp).security, [{ TenantKey: [] }])
  assert.deepEqual(find(operations.refreshSession).security, [{ TenantKey: [] }])
  assert.deepEqual(find(operations.addIdentity).security, [{ TenantKey: [], UserToken: [] }])
  assert.deepEqual(find(operations.createTenant).security, [{ AdminKey: [] }, { ConsoleSession: [] }])
  assert.deepEqual(find(consoleOperations.createConsoleSession).security, [])
  assert.deepEqual(find(consoleOperations.endConsoleSession).security, [{}, { ConsoleSession: [] }])
  assert.deepEqual(find(operations.getLiveness).security, [])
  assert.deepEqual(Object.keys(document.components.securitySchemes), [
    'TenantKey',
    'UserToken',
    'ConsoleSession',
    'AdminKey',
  ])
})
