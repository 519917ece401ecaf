import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errorsOf, hasStrictQuery, type Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { isParameterGroup } from '../../contract/parameter-group.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTarget, type Target } from './target.ts'

const all: readonly Operation[] = Object.values(operations)
const admin = all.filter(({ path }) => path.startsWith('/admin'))
const open = all.filter(({ path }) => !path.startsWith('/admin'))
const unknown = 'Unknown parameter'

let target: Target
let credentials: [string, string]
before(async () => {
  target = await startTarget()
  credentials = ['authorization', `Bearer ${target.service.adminKey}`]
})
after(() => target[Symbol.asyncDispose]())

const pathOf = ({ path }: Operation): string =>
  path.replace(':tenantId', target.tenant.tenantId).replace(':userId', target.userId).replace(/:\w+/g, 'none')

function ask(operation: Operation, query: string, headers: [string, string][] = [credentials]): Promise<WireAnswer> {
  const { method, bodyLines } = operation
  const type = bodyLines === undefined ? 'application/json' : 'application/x-ndjson'
  return send(target.service.baseUrl, {
    method,
    path: pathOf(operation) + query,
    headers: [['content-type', type], ...headers],
    ...(method !== 'GET' && { body: '{}' }),
  })
}

const listTenants = (query: string) => ask(operations.listTenants, query)

test('rejects an unknown query parameter on every operation under /admin and changes nothing', async () => {
  assert.ok(admin.length > 30)
  await target.unchanged(async () => {
    for (const operation of admin) {
      assert.ok(hasStrictQuery(operation))
      assert.ok(errorsOf(operation).includes('VALIDATION_ERROR'), operation.path)
      assertRefusal(await ask(operation, '?search=zz'), 'VALIDATION_ERROR', { search: unknown })
    }
  })
})

test('ignores unknown query parameters on operations outside /admin', async () => {
  for (const operation of open) {
    assert.equal(hasStrictQuery(operation), false)
    const { method, auth } = operation
    const headers: [string, string][] = auth === 'admin' ? [credentials] : [['x-tenant-key', target.tenant.key]]
    // User operations are rejected before they act, because the user token is missing.
    const [plain, queried] = [await ask(operation, '', headers), await ask(operation, '?search=zz', headers)]
    assert.equal(queried.status, plain.status, `${method} ${operation.path}`)
    assert.doesNotMatch(queried.text, /Unknown parameter/)
  }
})

test('reports each unknown parameter under the name the client sent', async () => {
  const queries: [query: string, ...names: string[]][] = [
    ['?search', 'search'],
    ['?search=', 'search'],
    ['?search=a&search=b', 'search'],
    ['?limit=1&search=a&Cursor=b', 'search', 'Cursor'],
    ['?LIMIT=1', 'LIMIT'],
    ['?limit%20=1', 'limit '],
    ['?limit[]=1', 'limit[]'],
    ['?limit%00=1', 'limit\0'],
    ['?=1', ''],
    ['?&&&=', ''],
    [`?${'a='.repeat(4000)}`, 'a'],
    ['?constructor=1&toString=2&hasOwnProperty=3', 'constructor', 'toString', 'hasOwnProperty'],
    ['?%zz=1&limit=5', '%zz'],
    ['?__proto__[limit]=1', '__proto__[limit]'],
  ]
  for (const [query, ...names] of queries) {
    const messages = Object.fromEntries(names.map((name) => [name, unknown]))
    assertRefusal(await listTenants(query), 'VALIDATION_ERROR', messages)
  }
})

test('reports __proto__ as an unknown parameter and pollutes no prototype', async () => {
  await target.unchanged(async () => {
    const answer = await listTenants('?__proto__=1&__proto__=2')
    assert.equal(answer.status, 400)
    const { validation } = (answer.json() as { error: { validation: object } }).error
    assert.deepEqual(Object.entries(validation), [['__proto__', unknown]])
  })
})

test('reports at most one hundred unknown parameters', async () => {
  const answer = await listTenants(`?${Array.from({ length: 1000 }, (_, index) => `n${index}=1`).join('&')}`)
  assert.equal(answer.status, 400)
  const { validation } = (answer.json() as { error: { validation: object } }).error
  assert.equal(Object.keys(validation).length, 100)
})

test('refuses an empty query parameter on every operation under /admin and changes nothing', async () => {
  const message = 'Empty parameter; send a value or leave it out'
  await target.unchanged(async () => {
    let tried = 0
    for (const operation of admin) {
      const shape = operation.query?.shape ?? {}
      for (const name of Object.keys(shape).filter((one) => !isParameterGroup(shape[one]!))) {
        for (const query of [`?${name}=`, `?${name}`, `?%${name.charCodeAt(0).toString(16)}${name.slice(1)}=`]) {
          assertRefusal(await ask(operation, query), 'VALIDATION_ERROR', { [name]: message })
          tried++
        }
      }
    }
    assert.ok(tried > 150, `${tried}`)
  })
})

test('refuses an empty parameter of a group', async () => {
  let tried = 0
  for (const operation of admin) {
    const shape = operation.query?.shape ?? {}
    for (const group of Object.keys(shape).filter((one) => isParameterGroup(shape[one]!))) {
      const answer = await ask(operation, `?${group}.city=`)
      assert.equal(answer.status, 400)
      const { validation } = (answer.json() as { error: { validation: object } }).error
      assert.deepEqual(Object.keys(validation), [`${group}.city`])
      tried++
    }
  }
  assert.ok(tried > 0)
})

test('reports empty and unknown parameters together', async () => {
  const empty = 'Empty parameter; send a value or leave it out'
  assertRefusal(await listTenants('?limit=&cursor=&search='), 'VALIDATION_ERROR', {
    limit: empty,
    cursor: empty,
    search: unknown,
  })
  for (const query of ['', '?', '?&&']) assertSuccess(await listTenants(query), 200)
})

test('refuses a repeated parameter', async () => {
  const repeated = { limit: 'Expected string, received array' }
  for (const query of ['?limit=1&limit=2', '?limit=&limit=']) {
    assertRefusal(await listTenants(query), 'VALIDATION_ERROR', repeated)
  }
  assertRefusal(await listTenants('?limit=x'), 'VALIDATION_ERROR', { limit: 'Validation rule not met' })
})

test('clears no tenant when the parameter that names one is empty', async () => {
  const clear = (query: string) => ask(operations.clearTestingChannelMessages, query)
  const listed = async () => (await target.service.admin.listTestingChannelMessages({})).messages.length
  const before = await listed()
  assert.ok(before > 0)
  assert.equal((await clear('?tenantId=')).status, 400)
  assert.equal(await listed(), before)
  assert.equal((await clear('')).status, 204)
  assert.equal(await listed(), 0)
})

test('checks the admin key before the query', async () => {
  for (const operation of admin) {
    assertRefusal(await ask(operation, '?search=zz', []), 'MISSING_ADMIN_KEY')
  }
})
