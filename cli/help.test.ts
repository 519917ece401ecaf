import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from './terminal/terminal.testkit.ts'

const run = (...words: readonly string[]) => type(words, { env: {} })

test('explains a command below others, or the program', async () => {
  assert.deepEqual(await run('help', 'user', 'list'), await run('user', 'list', '--help'))
  assert.deepEqual(await run('help'), await run('--help'))
})

test('names the command that it does not know', async () => {
  for (const words of [['nope'], ['user', 'nope'], ['user', 'list', 'nope']]) {
    const { exitCode, output, errors } = await run('help', ...words)
    assert.deepEqual([exitCode, output], [2, ''])
    assert.match(errors, /^error: unknown command 'nope'\n/)
  }
})
