import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createPrivateFolder } from './private-folder.ts'

const home = mkdtempSync(join(tmpdir(), 'tenantry-folders-'))
after(() => rmSync(home, { recursive: true }))

test('creates the missing folders of a path for their owner only, and leaves existing ones alone', () => {
  const path = join(home, 'a', 'b')
  createPrivateFolder(path)
  createPrivateFolder(path)
  for (const folder of [path, join(home, 'a')]) assert.equal(statSync(folder).mode & 0o777, 0o700)
})

test('refuses a path through a file and one through a link to a missing folder', () => {
  writeFileSync(join(home, 'file'), '')
  symlinkSync(join(home, 'missing'), join(home, 'link'))
  assert.throws(() => createPrivateFolder(join(home, 'file', 'a', 'b')), { code: 'ENOTDIR' })
  assert.throws(() => createPrivateFolder(join(home, 'link', 'a')), { code: 'EEXIST' })
})
