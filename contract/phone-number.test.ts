import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from '../test/support/runner/sample-size.ts'
import { normalisePhone } from './phone-number.ts'

const accepted: [text: string, normalised: string][] = [
  ['+33612345678', '+33612345678'],
  [' +33 6 12 34 56 78 ', '+33612345678'],
  ['+1 (213) 373-4253', '+12133734253'],
  ['+1.213.373.4253', '+12133734253'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['+39 06 698 12345', '+390669812345'],
  ['+290 1234', '+2901234'],
]

for (const [text, normalised] of accepted) {
  test(`${JSON.stringify(text)} is ${normalised}`, () => assert.equal(normalisePhone(text), normalised))
}

test('rejects anything but an international number of ASCII digits', () => {
  for (const text of [
    '',
    '+',
    '0612345678',
    '33612345678',
    '0033612345678',
    '++33612345678',
    '+33612345678+',
    '+33612345678 ext 5',
    '+33612345678;ext=5',
    '+33612345678x5',
    '+3361234567a',
    'tel:+33612345678',
    '+33612345678\r\n+4366012345',
    '+３３６１２３４５６７８',
    '+٣٣٦١٢٣٤٥٦٧٨',
    '＋33612345678',
    '+33\u00a0612345678',
    '+33\u200b612345678',
    '\u00a0+33612345678',
    '+33612345678\ufeff',
    '+33612345678\0',
    '+1213', // too short for its country
    '+3361234567890123', // too long
    '+999123456789', // no such country
    '+0033612345678',
    '+(((((((((((',
    `+${'1'.repeat(70_000)}`,
    `${' '.repeat(70_000)}+33612345678`,
  ]) {
    assert.equal(normalisePhone(text), null, JSON.stringify(text.slice(0, 40)))
  }
})

test('returns E.164 and is idempotent, whatever the separators', () => {
  const digits = fc.array(fc.constantFrom(...'0123456789'), { minLength: 5, maxLength: 15 })
  const separators = fc.array(fc.constantFrom('', '', '', ' ', '-', '.', '(', ')'), { minLength: 15, maxLength: 15 })
  const country = fc.constantFrom('1', '33', '39', '43', '44', '49', '54', '55', '61', '91', '')
  // About two in five are accepted.
  const runs = sampleSize(3000, 1000)
  let count = 0
  fc.assert(
    fc.property(country, digits, separators, (code, rest, between) => {
      const normalised = normalisePhone(`+${code}${rest.map((digit, i) => between[i] + digit).join('')}`)
      if (normalised === null) return
      count++
      assert.match(normalised, /^\+[1-9][0-9]{4,14}$/)
      assert.equal(normalisePhone(normalised), normalised)
    }),
    { numRuns: runs },
  )
  assert.ok(count > 300, `only ${count} of ${runs} were accepted`)
})

test('loads the library with the first number', () => {
  const script = `
    const { normalisePhone } = await import(${JSON.stringify(new URL('./phone-number.ts', import.meta.url).href)})
    const { default: { _cache } } = await import('node:module')
    const loaded = () => Object.keys(_cache).some((path) => path.includes('libphonenumber-js'))
    const before = loaded()
    normalisePhone('+33612345678')
    process.stdout.write(before + ' ' + loaded())`
  assert.equal(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
    'false true',
  )
})
