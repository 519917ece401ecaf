import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldedName } from './folded-name.ts'

test('spellings of a name are equal', () => {
  const spellings = [
    ['Straße', 'STRASSE', 'strasse'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ'],
    ['İzmir', 'i̇zmir'],
    ['Café', 'Cafe\u0301', 'CAFÉ'],
    ['Acme 1', 'Ａｃｍｅ　１', 'ACME\t1', ' acme \u00a0 1\n'],
    ['ﬁne', 'FINE'],
    ['\u212aelvin', 'kelvin'],
  ]
  for (const [first = '', ...others] of spellings)
    for (const other of others) assert.equal(foldedName(other), foldedName(first), other)
})

test('the beginning of a name in capitals begins its folded form', () => {
  for (const name of ['σοφοσα', 'straßenbahn', 'ǆungla 😀 ltd'])
    for (let end = 1; end <= [...name].length; end++) {
      const beginning = foldedName([...name].slice(0, end).join('').toUpperCase())
      assert.ok(foldedName(name).startsWith(beginning), beginning)
    }
})

test('a folded name stays as it is', () => {
  for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 37) {
    if (code >= 0xd800 && code < 0xe000) continue
    const once = foldedName(`a${String.fromCodePoint(code)}b`)
    assert.equal(foldedName(once), once, code.toString(16))
  }
})
