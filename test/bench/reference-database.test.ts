import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const numberIn = (path: string, pattern: RegExp): number => {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
  return Number(pattern.exec(text)?.[1]?.replaceAll('_', '') ?? assert.fail(`${pattern} in ${path}`))
}

test('the reference server has the page cache and the checkpoints of the service', () => {
  const [service, reference] = ['server/storage/sqlite/sqlite-storage.ts', 'bench/reference-database.ts']
  const cache = /PRAGMA cache_size = (-\d+)/
  assert.equal(numberIn(reference, cache), numberIn(service, cache))
  assert.equal(numberIn(reference, /wal_autocheckpoint = (\d+)/), numberIn(service, /checkpointFrames = ([\d_]+)/))
})
