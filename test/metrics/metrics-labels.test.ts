import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { operations } from '../../contract/operations.ts'
import { type Canaries, openCanaries } from '../support/attacks/canaries.ts'
import { scrape } from '../support/http/scrape.ts'
import { useEverything } from '../support/use-everything.ts'

let canaries: Canaries
before(async () => {
  canaries = await openCanaries()
})
after(() => canaries[Symbol.asyncDispose]())

test('has every operation and no address, id, key, code or name in the metrics', async () => {
  await useEverything(canaries)
  const { text, labels } = await scrape(canaries.service)
  const named = labels('tenantry_http_request_duration_seconds_count', 'operation')
  assert.deepEqual(
    Object.keys(operations).filter((name) => !named.has(name)),
    [],
    'call each operation in test/support/use-everything.ts',
  )
  for (const [what, secret] of canaries.secrets) assert.ok(!text.includes(secret), what)
  assert.doesNotMatch(text, /@|\+33|127\.0\.0\.1|canar|example\.com/i)
  assert.doesNotMatch(text, /[0-9A-HJKMNP-TV-Z]{26}/, 'the metrics contain an id')
})

test('documents exactly the existing metrics', async () => {
  const guide = readFileSync(new URL('../../docs/guides/metrics.md', import.meta.url), 'utf8')
  const documented = new Set(
    [...guide.matchAll(/tenantry_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
  )
  const { names } = await scrape(canaries.service)
  const ours = [...names].filter((name) => name.startsWith('tenantry_'))
  const elsewhere = [
    'tenantry_database_connections',
    'tenantry_database_writes_total',
    'tenantry_database_commits_total',
    'tenantry_limiter_shared',
  ]
  assert.deepEqual(documented, new Set([...ours, ...elsewhere]))
})
