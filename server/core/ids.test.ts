import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { isUlid, randomText, randomToken, ulid } from './ids.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const toNumber = (text: string) => [...text].reduce((sum, c) => sum * 32n + BigInt(CROCKFORD.indexOf(c)), 0n)

test('a ULID is 26 Crockford characters, the first ten of which encode its time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (now) => {
      const id = ulid(now)
      assert.ok(isUlid(id), id)
      assert.equal(toNumber(id.slice(0, 10)), BigInt(now))
    }),
  )
})

test('rejects a time that is not whole milliseconds of 48 bits', () => {
  for (const now of [-1, 2 ** 48, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) assert.throws(() => ulid(now), RangeError)
})

test('F17: no two ids of one millisecond are within 2^20 of each other', () => {
  const randomParts = Array.from({ length: sampleSize(200_000) }, () => toNumber(ulid(1_700_000_000_000).slice(10)))
  randomParts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  for (let i = 1; i < randomParts.length; i++) assert.ok(randomParts[i]! - randomParts[i - 1]! >= 2n ** 20n)
})

test('F17: ids of one millisecond are not ordered', () => {
  const ids = Array.from({ length: 1000 }, () => ulid(1_700_000_000_000))
  const rising = ids.filter((id, i) => i > 0 && id > ids[i - 1]!).length
  assert.ok(rising > 300 && rising < 700, `${rising} of 999 pairs rise`)
})

test('each of the 80 random bits is set in about half of the ids', () => {
  const rounds = sampleSize(20_000)
  const ones = new Array<number>(80).fill(0)
  for (let round = 0; round < rounds; round++) {
    const bits = toNumber(ulid(0).slice(10))
    for (let bit = 0; bit < 80; bit++) ones[bit]! += Number((bits >> BigInt(bit)) & 1n)
  }
  // Seven standard deviations: a fair bit deviates this far once in 10^11 runs.
  for (const count of ones) assert.ok(Math.abs(count - rounds / 2) < 7 * Math.sqrt(rounds / 4), `${count}`)
})

test('accepts only canonical ULIDs', () => {
  const good = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  assert.equal(isUlid(good), true)
  for (const bad of ['', good.slice(1), `${good}0`, `8${good.slice(1)}`, good.toLowerCase(), `${good}\n`]) {
    assert.equal(isUlid(bad), false, bad)
  }
  for (const letter of 'ILOU-é ') assert.equal(isUlid(`0${letter}${good.slice(2)}`), false, letter)
})

test('random text has the requested length, and a uniform distribution of characters', () => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const text = randomText(alphabet, 124_000)
  assert.equal(text.length, 124_000)
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 62)
  for (const [character, count] of counts) assert.ok(Math.abs(count - 2000) < 320, `${character}: ${count}`)
})

test('F17: no random bytes are given out twice, and a token has all of them', () => {
  const drawn = Array.from({ length: 3_000 }, () => randomToken(32))
  assert.equal(new Set(drawn).size, drawn.length)
  for (const token of drawn) {
    assert.match(token, /^[\w-]{43}$/)
    assert.equal(Buffer.from(token, 'base64url').length, 32)
  }
  // Bytes that two tokens share would be at the end of one and the beginning of the next.
  const bytes = Buffer.concat(drawn.map((token) => Buffer.from(token, 'base64url')))
  const windows = Array.from({ length: bytes.length - 7 }, (_, at) => bytes.toString('latin1', at, at + 8))
  assert.equal(new Set(windows).size, windows.length)
})
