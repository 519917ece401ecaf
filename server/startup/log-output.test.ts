import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createLogOutput } from './log-output.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-log-'))
after(() => rmSync(folder, { recursive: true }))

test('writes text and bytes as they are', () => {
  const path = join(folder, 'log')
  const fd = openSync(path, 'w')
  const output = createLogOutput(fd, assert.fail)
  output.write('{"msg":"é"}\n')
  output.write(Buffer.from('{"msg":"two"}\n'))
  closeSync(fd)
  assert.equal(readFileSync(path, 'utf8'), '{"msg":"é"}\n{"msg":"two"}\n')
})

test('drops what does not fit on the disk, and says so once', { skip: process.platform !== 'linux' }, () => {
  const fd = openSync('/dev/full', 'w')
  const said: string[] = []
  const output = createLogOutput(fd, (sentence) => void said.push(sentence))
  for (let line = 0; line < 3; line++) output.write('{}\n')
  closeSync(fd)
  assert.deepEqual(said, ['The log cannot be written (ENOSPC); its lines are lost until it can.'])
})
