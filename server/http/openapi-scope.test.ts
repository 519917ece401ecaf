import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, reachOf } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { buildOpenApi } from './openapi.ts'
import { OpenApi } from './openapi-form.ts'

const document = OpenApi.parse(JSON.parse(JSON.stringify(buildOpenApi(operations, { version: '0.1.0' }))))

const find = ({ method, path }: Operation) =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase() as 'get'] ?? assert.fail(`${method} ${path}`)

test('operations have the scope and the reach of the contract, for programs and for readers', () => {
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const { 'x-scope': scope, 'x-reach': reach, 'x-query-scopes': queryScopes, description } = find(operation)
    assert.equal(scope, operation.scope, name)
    assert.equal(reach, operation.auth === 'admin' ? reachOf(operation) : undefined, name)
    assert.deepEqual(queryScopes, operation.queryScopes, name)
    for (const named of [operation.scope, ...Object.values(operation.queryScopes ?? {})]) {
      if (named !== undefined && named !== 'any') assert.ok(description.includes(`\`${named}\``), name)
    }
  }
  assert.match(find(operations.createTenant).description, /Not available to operators bound to tenants/)
  assert.doesNotMatch(find(operations.getTenant).description, /bound to tenants/)
})
