import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readJson, readPassword } from './input.ts'
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

test('refuses a number that would be sent as null, which removes a value', async () => {
  const read = (text: string) => readJson('-', { openInput: () => [Buffer.from(text)] } as unknown as Terminal)
  assert.deepEqual(await read('{"otp": {"length": 1e1}}'), { otp: { length: 10 } })
  for (const number of ['1e400', '-1e400']) {
    await assert.rejects(read(`{"otp": {"length": ${number}}}`), {
      name: 'CommandFailure',
      message: 'Standard input is not valid JSON: the number of "length" is too large',
    })
  }
})

test('refuses standard input that is not UTF-8, which would be stored with other characters', async () => {
  const openInput = () => [Buffer.from('{"label": "Übung"}', 'latin1')]
  const terminal = { openInput, readSecret: async () => null } as unknown as Terminal
  for (const read of [readPassword(terminal), readJson('-', terminal)]) {
    await assert.rejects(read, {
      name: 'CommandFailure',
      message: 'Standard input is not UTF-8 text. Save it as UTF-8; the > of Windows PowerShell writes UTF-16.',
    })
  }
})
