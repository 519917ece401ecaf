import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPassword } from './input.ts'
import type { Terminal } from './terminal.ts'

test('a password that is typed at a terminal is read as a secret, without echo', async () => {
  const prompts: string[] = []
  const readSecret = async (prompt: string) => {
    prompts.push(prompt)
    return 'correct horse\n'
  }
  assert.equal(await readPassword({ readSecret } as unknown as Terminal), 'correct horse')
  assert.deepEqual(prompts, ['Password: '])
})
