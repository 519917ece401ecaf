import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isCountryCode } from '../fields/country-code.ts'
import { generate, path } from './generate-country-codes.ts'

test('the country codes are up to date; otherwise run node contract/build/generate-country-codes.ts', () => {
  assert.equal(readFileSync(path, 'utf8'), generate())
})

test('knows the 249 codes of ISO 3166-1 and no others', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode)
  assert.equal(codes.length, 249)
  for (const code of ['FR', 'GB', 'SS', 'BQ', 'AX', 'TW']) assert.ok(codes.includes(code), code)
  for (const other of ['', 'F', 'fr', 'Fr', 'FRA', 'UK', 'EU', 'XK', 'AN', 'DD', 'ZZ', 'AA', 'F R', ' ', '__proto__'])
    assert.equal(isCountryCode(other), false, other)
})
