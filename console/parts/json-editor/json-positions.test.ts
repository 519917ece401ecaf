import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inexactNumber, placesOf, readJson } from './json-positions.ts'

test('reads JSON, and names the first mistake with its line', () => {
  assert.deepEqual(readJson('{"a": [1, null]}'), { value: { a: [1, null] } })
  const at = (text: string) => {
    const read = readJson(text)
    return 'mistake' in read ? [read.line, read.mistake.message, text.slice(read.mistake.from, read.mistake.to)] : null
  }
  assert.deepEqual(at('{\n  "a": 1\n  "b": 2\n}'), [3, 'A comma is missing before this', '"b"'])
  assert.deepEqual(at('{"a": yes}'), [1, 'Unknown word; texts are written between double quotes', 'yes'])
  assert.deepEqual(at('{"a": 1,}')?.[1], 'A name in double quotes is missing here')
  assert.deepEqual(at('// no\n{}')?.[1], 'JSON has no comments')
  assert.deepEqual(at('')?.[0], 1)
})

test('finds what the paths of the server name', () => {
  const text = JSON.stringify(
    { otp: { length: 99 }, components: [{ name: 'a' }, { name: 'b', rules: { min: 9 } }], forms: { f: { steps: [] } } },
    null,
    2,
  )
  const found = (path: string) => {
    const [place] = placesOf(text, [path])
    return text.slice(place!.from, place!.to)
  }
  assert.equal(found('otp.length'), '"length"')
  assert.equal(found('components.b.rules.min'), '"min"')
  assert.equal(found('components.0.name'), '"name"')
  assert.equal(found('components.b'), '{')
  assert.equal(found('forms.f.steps.0.step'), '"steps"')
  assert.equal(found('absent'), '{')
})

test('finds numbers that would change without a word', () => {
  assert.equal(inexactNumber('{"a": [9007199254740991, -1.5, 1e3], "b": "9007199254740993"}'), null)
  assert.deepEqual(inexactNumber('{"a": 1,\n "b": [9007199254740993]}'), { line: 2, number: '9007199254740993' })
  assert.deepEqual(inexactNumber('{"a": 1e400}'), { line: 1, number: '1e400' })
})
