import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { createBudgets } from '../limits/budgets.ts'
import { parseLimits } from '../limits/limit-settings.ts'
import { createStoredRateLimiter } from '../limits/stored-rate-limiter.ts'
import { openTestStorage } from '../storage/sqlite/open-storage.testkit.ts'
import { countLimited } from './limit-counts.ts'

test('does not count a failed database as a refusal', async () => {
  const onStatement = (name: string) => {
    if (name.startsWith('limitLog.')) throw new Error('disk I/O error')
  }
  const { storage, close } = await openTestStorage({ hooks: { onStatement } })
  const registry = new Registry()
  const budgets = createBudgets(createStoredRateLimiter(storage.system.limitLogs), parseLimits('failed-passwords=1/h'))
  const counted = countLimited(registry).countedBudgets(budgets)
  await assert.rejects(counted.take('failed-passwords', 'a subject', 0), { code: 'SERVICE_UNAVAILABLE' })
  assert.match(await registry.metrics(), /^tenantry_limited_total\{limit="failed-passwords"\} 0$/m)
  await close()
})
