import assert from 'node:assert/strict'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashLock, isCurrent } from './bundle.js'

/** A repository of one source and a lock file, with the bundle that was built from them a minute later. */
async function openRepository(t: { after(cleanUp: () => Promise<void>): void }) {
  const root = await mkdtemp(join(tmpdir(), 'tenantry-bundle-'))
  t.after(() => rm(root, { recursive: true }))
  const paths = { source: join(root, 'server/main.ts'), lock: join(root, 'package-lock.json') }
  mkdirSync(join(root, 'server'))
  mkdirSync(join(root, 'dist'))
  for (const path of Object.values(paths)) writeFileSync(path, '{}')
  const startedAt = Date.now() + 60_000
  const sources = { startedAt, lock: hashLock(root), sources: { 'server/main.ts': 2 } }
  writeFileSync(join(root, 'dist/sources.json'), JSON.stringify(sources))
  return { root, ...paths, later: new Date(startedAt + 1) }
}

test('a bundle is used while its sources are older', async (t) => {
  const { root, source, later } = await openRepository(t)
  assert.equal(isCurrent(root), true)
  utimesSync(source, later, later)
  assert.equal(isCurrent(root), false)
})

test('a bundle is not used when a source of another size has taken the place of one, however old it is', async (t) => {
  const { root, source } = await openRepository(t)
  writeFileSync(source, '{"earlier":true}')
  utimesSync(source, new Date(0), new Date(0))
  assert.equal(isCurrent(root), false)
})

test('a bundle is not used when one of its sources is gone', async (t) => {
  const { root, source } = await openRepository(t)
  rmSync(source)
  assert.equal(isCurrent(root), false)
})

test('a bundle is not used when the packages have changed; the date of the lock file does not matter', async (t) => {
  const { root, lock, later } = await openRepository(t)
  utimesSync(lock, later, later)
  assert.equal(isCurrent(root), true)
  writeFileSync(lock, '{"packages":{}}')
  assert.equal(isCurrent(root), false)
})

test('there may be no bundle', async (t) => {
  const { root } = await openRepository(t)
  rmSync(join(root, 'dist'), { recursive: true })
  assert.equal(isCurrent(root), false)
})
