import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pastedText } from './pasted-text.ts'

const around = { 'white space': ' \t\r\n\u00a0', 'invisible characters': '\u200b\u200e\u202a\u2060\ufeff' }
for (const [name, characters] of Object.entries(around)) {
  test(`${name} around a text is left out`, () => {
    assert.equal(pastedText(`${characters}ada@example.com${characters}`), 'ada@example.com')
    assert.equal(pastedText(characters), '')
  })
}

test('what is inside a text is kept', () => assert.equal(pastedText('Ada\u200c Lovelace'), 'Ada\u200c Lovelace'))
