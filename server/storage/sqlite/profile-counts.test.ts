import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTenant } from '../suite/samples.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

const profilesOf = (version: string, count: number) =>
  `INSERT INTO profiles (tenant_id, id, user_id, schema_version, content, revision, created_at, updated_at)
   WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
   SELECT 't', '${version}-' || i, '${version}-' || i, '${version}', '{}', 1, 1, 1 FROM n`

test('counts many profiles of a version with several statements, and answers other requests in between', async () => {
  const between: string[] = []
  const onStatement = (name: string) => void (name.includes('profile.') && between.push(name))
  const { storage, execute, close } = await openTestStorage({ hooks: { onStatement } })
  const { profiles } = await newTenant(storage, { id: 't' })
  for (const [version, count] of [
    ['1', 1],
    ['2', 20_000],
    ['3', 45_000],
  ] as const)
    await execute(profilesOf(version, count))
  let isCounting = true
  const others = async () => {
    while (isCounting) {
      await new Promise(setImmediate)
      between.push('another request')
    }
  }
  const [counts] = await Promise.all([profiles.countByVersion().finally(() => (isCounting = false)), others()])
  assert.deepEqual(
    [...counts],
    [
      ['1', 1],
      ['2', 20_000],
      ['3', 45_000],
    ],
  )
  const counting = between.flatMap((name, index) => (name === 'sqlite.profile.countNext' ? [index] : []))
  assert.equal(counting.length, 6)
  for (const index of counting) assert.notEqual(between[index + 1], 'sqlite.profile.countNext')
  await close()
})
