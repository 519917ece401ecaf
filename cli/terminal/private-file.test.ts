import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openPrivately, writeWhole } from './private-file.ts'
import type { Terminal } from './terminal.ts'

const folder = await mkdtemp(join(tmpdir(), 'tenantry-private-file-'))
after(() => rm(folder, { recursive: true }))
const terminal = { folder, untilInterrupted: () => new AbortController().signal } as unknown as Terminal
const inFolder = (name: string) => join(folder, name)

async function* texts() {
  yield 'one\n'
  yield 'two\n'
}

test('writes into a pipe, which stays', { skip: process.platform === 'win32' && 'needs pipes' }, async () => {
  execFileSync('mkfifo', [inFolder('pipe')])
  const [read] = await Promise.all([readFile(inFolder('pipe'), 'utf8'), writeWhole('pipe', texts(), terminal)])
  assert.equal(read, 'one\ntwo\n')
  assert.ok((await lstat(inFolder('pipe'))).isFIFO())
  assert.deepEqual(await readdir(folder), ['pipe'])
})

test('replaces the file that a link names, and keeps the link', async () => {
  await writeFile(inFolder('file'), 'before')
  await symlink('file', inFolder('link'))
  await writeWhole('link', texts(), terminal)
  assert.equal(await readlink(inFolder('link')), 'file')
  assert.equal(await readFile(inFolder('file'), 'utf8'), 'one\ntwo\n')
})

test('creates the missing file that a link names, and keeps the link', async () => {
  await mkdir(inFolder('disk'))
  for (const [name, to] of [
    ['relative', join('disk', 'one')],
    ['absolute', inFolder(join('disk', 'two'))],
  ] as const) {
    await symlink(to, inFolder(name))
    await writeWhole(name, texts(), terminal)
    assert.equal(await readlink(inFolder(name)), to)
    assert.equal(await readFile(inFolder(name), 'utf8'), 'one\ntwo\n')
  }
})

test('keeps the permissions of a device, and names it when it is full', {
  skip: !existsSync('/dev/full') && 'needs /dev/full',
}, async () => {
  const { mode, rdev } = await stat('/dev/full')
  await (await openPrivately('/dev/full', terminal)).close()
  await assert.rejects(
    writeWhole('/dev/full', texts(), terminal),
    /^CommandFailure: Failed to write \/dev\/full: ENOSPC/,
  )
  const after = await stat('/dev/full')
  assert.deepEqual([after.mode, after.rdev], [mode, rdev])
})

test('asks for nothing to write if the file cannot be opened: the server records an export when it begins', async () => {
  let asked = false
  async function* asking() {
    asked = true
    yield 'one\n'
  }
  await mkdir(inFolder('folder'))
  const refusals = {
    'missing/file': 'Failed to write missing/file: its folder does not exist; create it, or choose another path',
    folder: 'Failed to write folder: it is a folder; name a file in it',
    '': 'The name of the file is empty. Specify a file.',
  }
  for (const [path, message] of Object.entries(refusals)) {
    const refusal = { name: 'CommandFailure', message }
    await assert.rejects(writeWhole(path, asking(), terminal), refusal)
    await assert.rejects(openPrivately(path, terminal), refusal)
  }
  assert.equal(asked, false)
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('two commands that write the same file at once each leave it complete', async () => {
  const second = Promise.withResolvers<void>()
  async function* first() {
    yield 'one\n'
    await second.promise
    yield 'two\n'
  }
  async function* other() {
    yield 'three\n'
    second.resolve()
    await writing
    assert.equal(await readFile(inFolder('shared'), 'utf8'), 'one\ntwo\n')
    yield 'four\n'
  }
  const writing = writeWhole('shared', first(), terminal)
  await writeWhole('shared', other(), terminal)
  assert.equal(await readFile(inFolder('shared'), 'utf8'), 'three\nfour\n')
})
