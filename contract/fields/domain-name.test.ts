import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { asciiDomain } from './domain-name.ts'

const letters = [...'abzAZ09-.xn--üßéıſKÉ例えテストא١ℝⅣ𝒳\u0301\u200d。．ﬁ']

test('gives internationalised domains the ASCII form of Node', () => {
  const domain = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.tuple(domain, fc.constantFrom('', '.com', '.example', '.xn--p1ai', '.12')), ([name, end]) => {
      const ascii = asciiDomain(name + end)
      if (ascii !== undefined) assert.equal(ascii, domainToASCII(name + end))
    }),
    { numRuns: sampleSize(5000) },
  )
})

test('rejects a domain that only Node or only a URL could read', () => {
  for (const text of [
    '',
    '.',
    'a',
    'a.',
    'a b.com',
    'a/b.com',
    'a:80.com',
    'a%41.com',
    '127.0.0.1',
    'a.0x',
    'a.0x1f',
    '[::1].com',
    'xn--.com',
  ])
    assert.equal(asciiDomain(text), undefined, text)
})
