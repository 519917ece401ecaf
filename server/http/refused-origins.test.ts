import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRefusedOrigins, type RefusedOrigin } from './refused-origins.ts'

function collect() {
  const reported: RefusedOrigin[] = []
  const refuse = createRefusedOrigins((refused) => reported.push(refused))
  return { reported, refuse: (tenantId: string, origin: string) => refuse({ tenantId, origin }) }
}

test('reports each origin of a tenant once', () => {
  const { reported, refuse } = collect()
  for (const tenant of ['a', 'b', 'a']) for (const port of [1, 2]) refuse(tenant, `http://app.test:${port}`)
  refuse('a', 'null')
  refuse('a', 'http://[fe80::1]:3000')
  assert.deepEqual(
    reported.map(({ tenantId, origin }) => `${tenantId} ${origin}`),
    [
      ...['a http://app.test:1', 'a http://app.test:2', 'b http://app.test:1', 'b http://app.test:2'],
      ...['a null', 'a http://[fe80::1]:3000'],
    ],
  )
})

test('reports nothing that is not an origin of a browser', () => {
  const { reported, refuse } = collect()
  for (const origin of [
    '',
    '*',
    'file://',
    "http://a'; rm -rf x",
    'http://a/b',
    'http://a\n',
    'HTTP://A',
    `http://${'a'.repeat(999)}`,
  ])
    refuse('a', origin)
  assert.deepEqual(reported, [])
})

test('reports at most 20 origins of a tenant, and remembers a bounded number of tenants', () => {
  const { reported, refuse } = collect()
  for (let n = 0; n < 1000; n++) refuse('a', `http://${n}.test`)
  assert.equal(reported.length, 20)
  for (let n = 0; n < 499; n++) refuse(`tenant ${n}`, 'http://app.test')
  refuse('a', 'http://0.test')
  assert.equal(reported.length, 519)
  refuse('one more', 'http://app.test')
  refuse('a', 'http://0.test')
  assert.equal(reported.length, 521)
})
