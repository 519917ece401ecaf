import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanValues, clip, oneLine } from './template-values.ts'

test('line ends, control characters and direction marks become a space', () => {
  assert.equal(oneLine('Acme\r\nBcc: eve@example.com'), 'Acme Bcc: eve@example.com')
  assert.equal(oneLine('\u202eemcA\u2066 \u0000\u001b[31m\u2028x\u0085'), 'emcA   [31m x')
  assert.equal(oneLine('Acme\u061c Shop'), 'Acme  Shop')
  assert.equal(oneLine('Chào, 世界 👩‍👩‍👧 %0a'), 'Chào, 世界 👩‍👩‍👧 %0a')
  assert.equal(oneLine('\ud800 half'), '\ufffd half')
})

test('a text is cut between characters, never within one', () => {
  assert.equal(clip('abcdef', 6), 'abcdef')
  assert.equal(clip('abcdefg', 6), 'abcde…')
  assert.equal(clip('abcd😀fg', 6), 'abcd…')
  assert.equal(clip('abcdefg', 6, '...'), 'abc...')
})

test('minutes and hours are whole and at least one, whatever comes', () => {
  const values = { code: '1234', id: 'x', tenant: '', recipient: '' }
  for (const amount of [0, -5, 0.4, 1.9, 60, Number.NaN]) {
    const { minutes, hours } = cleanValues({ ...values, minutes: amount, hours: amount })
    const whole = amount === 60 ? 60 : 1
    assert.deepEqual([minutes, hours], [whole, whole], `${amount}`)
  }
  const { minutes, id, hours } = cleanValues({ ...values, minutes: null, id: null, hours: null })
  assert.deepEqual([minutes, id, hours], [null, null, null])
})
