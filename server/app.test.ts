import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routesIn } from './app.ts'

/** Operations without a limit: each reads a few rows by key, hashes nothing, sends nothing and stores nothing. */
const plainReads: readonly string[] = [
  'GET /tenant-configuration',
  'GET /account',
  'GET /account/profile',
  'GET /account/profile/forms/:form',
  'GET /account/sessions',
  'GET /account/activity',
]

const routes = routesIn('development').map(({ operation }) => ({
  ...operation,
  name: `${operation.method} ${operation.path}`,
}))

test('every operation of tenant clients and users has a limit, except plain reads', () => {
  const unlimited = routes
    .filter(({ auth, limit }) => auth.startsWith('tenant') && limit === undefined)
    .map(({ name }) => name)
    .filter((name) => !plainReads.includes(name))
  assert.deepEqual(
    unlimited,
    [],
    'Operations without a limit. Choose a quota in contract/limits.ts, name it as `limit` in the operation’s declaration, and write it on its line in server/app.ts and in rule LIMIT-7 of docs/reference/api.md. Only a GET that hashes, sends and stores nothing may go on the list of plain reads in this test.',
  )
})

test('plain reads are GET operations without a limit', () => {
  const reads = routes.filter(({ name }) => plainReads.includes(name))
  assert.equal(reads.length, plainReads.length, 'a plain read that is not in the route table; remove it from the list')
  for (const { name, method, limit } of reads) assert.deepEqual([method, limit], ['GET', undefined], name)
})

test('operations without authentication only read, because limits apply to tenant keys only', () => {
  const writing = routes.filter(({ auth, method }) => auth === 'none' && method !== 'GET')
  assert.deepEqual(
    writing,
    [],
    'server/http/request-checks.ts counts no request without a tenant key; give it an authentication',
  )
})
