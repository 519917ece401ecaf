import assert from 'node:assert/strict'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ownFolder } from './code-cache.js'

async function openParent(t: { after(cleanUp: () => Promise<void>): void }) {
  const parent = await mkdtemp(join(tmpdir(), 'tenantry-temporary-'))
  t.after(() => rm(parent, { recursive: true }))
  const folder = join(parent, `tenantry-code-${process.getuid!()}`)
  return { parent, folder }
}

test('makes a folder that no other user can read or write, and finds it again', async (t) => {
  const { parent, folder } = await openParent(t)
  assert.equal(ownFolder(parent), folder)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.equal(ownFolder(parent), folder)
})

test('uses no folder that others can write to (threat H06)', async (t) => {
  const { parent, folder } = await openParent(t)
  mkdirSync(folder)
  for (const mode of [0o770, 0o702]) {
    chmodSync(folder, mode)
    assert.equal(ownFolder(parent), null, mode.toString(8))
  }
})

test('uses no folder of another user', {
  skip: process.getuid!() !== 0 && 'only root can give a folder away',
}, async (t) => {
  const { parent, folder } = await openParent(t)
  mkdirSync(folder, { mode: 0o755 })
  chownSync(folder, 65_534, 65_534)
  assert.equal(ownFolder(parent), null)
})

test('uses neither a link nor a file, and does without where nothing can be written', async (t) => {
  const { parent, folder } = await openParent(t)
  const target = join(parent, 'target')
  mkdirSync(target, { mode: 0o700 })
  symlinkSync(target, folder)
  assert.equal(ownFolder(parent), null)
  assert.deepEqual(readdirSync(target), [])
  await rm(folder)
  writeFileSync(folder, '')
  assert.equal(ownFolder(parent), null)
  assert.equal(ownFolder(join(parent, 'target', 'missing\0')), null)
  assert.ok(!existsSync(join(target, 'missing')))
})
