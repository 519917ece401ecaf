import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { ProfileSchemaInput } from '../contract/profile-schema.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { startTestService } from '../test/support/service.ts'
import { temporaryFolder } from './temporary-folder.ts'

const stored: ProfileSchemaInput = {
  components: [
    { name: 'firstName', type: 'text' },
    { name: 'age', type: 'text' },
    { name: 'tags', type: 'list' },
  ],
}
const candidate: ProfileSchemaInput = {
  components: [
    { name: 'firstName', type: 'text', rules: { maxLength: 9, pattern: '^[a-z0-9]*$' } },
    { name: 'age', type: 'integer' },
    { name: 'tags', type: 'list', rules: { maxItems: 2 } },
  ],
  migrations: [{ cast: { field: 'age', to: 'integer' } }],
}

/**
 * `npm run bench -- schema-check [--profiles 1000000]`: checks a schema against that many stored profiles on SQLite. Prints the
 * time in all, and the delays of the event loop during the check and, for comparison, while the process is idle: on a shared
 * machine the longest delay is that of its scheduler.
 */
export async function benchSchemaCheck(profiles: number): Promise<void> {
  const path = join(temporaryFolder(), 'tenantry.db')
  await using service = await startTestService({ storage: await openSqliteStorage({ path }) })
  const { id: tenantId } = await service.admin.createTenant({ name: 'Bench' })
  await service.admin.publishProfileSchema({ tenantId }, stored)
  addProfiles(path, tenantId, profiles)
  const { storage } = service.service.services
  const idle = await delays(() => setTimeout(5_000))
  const start = performance.now()
  let report = ''
  const busy = await delays(async () => {
    const call = new Request(`${service.baseUrl}/admin/tenants/${tenantId}/profile-schema/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(candidate),
    })
    report = await (await fetch(call)).text()
  })
  const seconds = (performance.now() - start) / 1000
  const { data } = JSON.parse(report) as { data: { profiles: number; failingProfiles: number } }
  const before = performance.now()
  await storage.forTenant(tenantId).profiles.countByVersion()
  console.log(`\nNode ${process.version}: ${data.failingProfiles} of ${data.profiles} profiles fail`)
  console.log(`checked in            ${seconds.toFixed(1)} s`)
  console.log(`delays                ${busy}; idle: ${idle}`)
  console.log(`counted by version in ${(performance.now() - before).toFixed(1)} ms`)
}

/** How late timers of a millisecond are during the work. */
async function delays(work: () => Promise<unknown>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await work()
  delay.disable()
  const [most, longest] = [delay.percentile(99.9) / 1e6, delay.max / 1e6]
  return `p99.9 ${most.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`
}

function addProfiles(path: string, tenantId: string, count: number): void {
  const database = new DatabaseSync(path)
  const sql = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    INSERT INTO profiles (tenant_id, id, user_id, schema_version, content, revision, created_at, updated_at)
    SELECT ?, printf('01%024d', n), printf('02%024d', n), '2',
      '{"firstName":"user' || n || '","age":"' || (n % 120) || '","tags":["one","two"]}', 1, 1, 1 FROM numbers`
  database.prepare(sql).run(count, tenantId)
  database.close()
}
