import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExamplePort } from './example-port.ts'

test('the port of the example is EXAMPLE_PORT, or that of Vite', () => {
  assert.equal(readExamplePort({}), 5173)
  assert.equal(readExamplePort({ EXAMPLE_PORT: '' }), 5173)
  assert.equal(readExamplePort({ EXAMPLE_PORT: '5199' }), 5199)
})

test('refuses what is not a port', () => {
  for (const text of ['abc', '0', '65536', '51 99', '-1', '5173.5']) {
    const message = `EXAMPLE_PORT: "${text}" is not valid; allowed: whole numbers from 1 to 65535`
    assert.throws(() => readExamplePort({ EXAMPLE_PORT: text }), { message })
  }
})
