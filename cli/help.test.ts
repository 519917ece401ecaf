import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from './terminal/terminal.testkit.ts'

const run = (...words: readonly string[]) => type(words, { env: {} })

test('explains a command below others, or the program', async () => {
  assert.deepEqual(await run('help', 'user', 'list'), await run('user', 'list', '--help'))
  assert.deepEqual(await run('help'), await run('--help'))
  assert.deepEqual(await run('user', 'help', 'profile', 'get'), await run('user', 'profile', 'get', '--help'))
  assert.deepEqual(await run('user', 'help'), await run('user', '--help'))
})

test('names the command that it does not know', async () => {
  for (const words of [
    ['help', 'nope'],
    ['help', 'user', 'nope'],
    ['help', 'user', 'list', 'nope'],
    ['user', 'help', 'nope'],
    ['user', 'profile', 'help', 'nope'],
  ]) {
    const { exitCode, output, errors } = await run(...words)
    assert.deepEqual([exitCode, output], [2, ''])
    assert.match(errors, /^error: unknown command 'nope'\n/)
  }
})
