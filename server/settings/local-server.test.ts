import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portOf } from './local-server.ts'

test('a port is a whole number from 1 to 65535', () => {
  assert.deepEqual([portOf('PORT', '1'), portOf('PORT', '65535')], [1, 65_535])
  for (const text of ['', 'abc', '0', '65536', '51 99', '-1', '5173.5']) {
    const message = `PORT: "${text}" is not a port; use a whole number from 1 to 65535`
    assert.throws(() => portOf('PORT', text), { message })
  }
})
