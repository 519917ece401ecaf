import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from './service.ts'

test('the last service on a database releases it, not the one that opened it', async () => {
  const first = await startTestService()
  const { database, masterKeys } = first
  const second = await startTestService({ database, masterKeys })
  let releases = 0
  const release = database.release.bind(database)
  database.release = () => {
    releases++
    return release()
  }
  await first.close()
  assert.equal(releases, 0)
  await second.close()
  assert.equal(releases, 1)
})
