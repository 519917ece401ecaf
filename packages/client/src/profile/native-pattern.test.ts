import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compilePattern, refusePattern } from '../../../../server/profiles/schema/pattern.ts'
import { sampleSize } from '../../../../test/support/runner/sample-size.ts'
import { threadMs } from '../../../../test/support/thread-time.ts'
import { countSteps, sampleOf } from './counted-matching.testkit.ts'
import { nativeMatcher } from './native-pattern.ts'
import { type PatternNode, parsePattern } from './parse-pattern.ts'

test('judges the patterns of everyday forms', () => {
  const everyday = [
    ...['^[A-Z]{2}[0-9]{4}$', '^\\+?[0-9 ]{5,20}$', '^[^@]+@[^@]+$', '^[a-z0-9_-]{3,16}$', '^#[0-9a-fA-F]{6}$'],
    ...['^[A-Za-z]+(?: [A-Za-z]+)*$', '^\\p{Lu}\\p{Ll}+$', "^[\\p{L} '-]+$", '[0-9]{2}', '^https://', '\\.com$', '^$'],
    ...['^(?:mr|mrs|ms)$', '^[0-9]{5}(?:-[0-9]{4})?$', '^.{1,100}$', '^\\S+$', '^(\\d{1,3}\\.){3}\\d{1,3}$', '^a|^b'],
  ]
  for (const pattern of everyday) assert.notEqual(nativeMatcher(pattern), null, pattern)
})

test('leaves patterns to the server that could take the RegExp long (threat E05)', () => {
  const slow = [
    ...['^(a+)+$', '^(a*)*$', '^(?:a|a)*$', '^(?:a|ab)*c', '^(?:ab|ac)+$', '^a*a*$', '^a*[ab]*c', '^(?:a?){20}a{20}$'],
    ...[
      '[a-z]+$',
      'a*b',
      '.*x',
      '^.*x',
      '^[a-z]*a$',
      '^a|b*c',
      '^(?:\\w+\\d+)+$',
      '^(?:\\p{L}+\\p{N}*)+$',
      '[ab]{65}c',
    ],
    ...[
      '^(?:a?b?)*$',
      '^(?:a?)?b',
      '^\\p{L}*é*x',
      '^(?:\\p{L}+é)*$',
      '^\\p{L}*\\p{M}*x',
      '^a?a?a?a?a?a$',
      '^(?:.{1,9}){1,9}$',
      '^[0-9]{1,3}[0-9]{1,3}$',
    ],
  ]
  for (const pattern of slow) assert.equal(nativeMatcher(pattern), null, pattern)
})

test('leaves to the server what the two syntaxes could mean differently', () => {
  const unlike = [
    ...[
      '(?i)a',
      '(?s).',
      '(?P<n>a)',
      '(?<n>a)',
      '\\ba\\b',
      '\\Aa',
      'a\\z',
      '[[:alpha:]]',
      '[]a]',
      '[^]a]',
      '[]a[b]',
      '\\Qa\\E',
    ],
    ...[
      '\\p{Greek}',
      '\\pL\\PN',
      '[^\\p{L}]',
      '\\p{^L}',
      '\\C',
      'a{,3}',
      'x{',
      'a}',
      'a]',
      '[a-\\d]',
      '[a-c-e]',
      'a$b',
      '(^a)',
      '(a$)',
    ],
    ...['a**', 'a+*', 'a{2}{3}', '(?=a)', '\\1', '\\x{110000}', '\\', '[', '(', ')', '*', 'a{2,1001}'],
  ]
  for (const pattern of unlike) assert.equal(nativeMatcher(pattern), null, pattern)
})

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '\\d',
    '\\s',
    '\\W',
    '\\D',
    '\\S',
    '\\p{L}',
    '\\pN',
    '[\\p{Lu}x-]',
    'é',
    '😀',
  ],
  ...[
    '[à-ü]',
    '\\.',
    '\\x41',
    '\\x{1F600}',
    '[\\d.,]',
    '[-a]',
    '[a\\-z]',
    '\\n',
    '[^\\n\\r]',
    '-',
    ' ',
    '\\[',
    '[*+?]',
  ],
  ...['(?i)', '\\b', '[[:digit:]]', '[B-\uffff]', '\\PL', '$', '^', '[^\\W]', '[!-~]'],
)
const quantifier = fc.constantFrom(
  ...['', '', '', '', '*', '+', '?', '{3}', '{0,2}', '{1,3}', '{2,}', '*?', '+?', '??', '{1,3}?', '{1}', '{0}'],
)
const { pattern } = fc.letrec<{ pattern: string; body: string; piece: string }>((tie) => ({
  piece: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small' },
        atom,
        atom,
        fc.tuple(fc.constantFrom('(', '(?:'), tie('body')).map(([open, body]) => `${open}${body})`),
      ),
      quantifier,
    )
    .map((parts) => parts.join('')),
  body: fc
    .array(fc.array(tie('piece'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((branches) => branches.map((branch) => branch.join('')).join('|')),
  pattern: fc
    .tuple(fc.constantFrom('^', '^', '^', ''), tie('body'), fc.constantFrom('$', '$', ''))
    .map((parts) => parts.join('')),
}))

/** Texts that take the pattern far, repeated and spoiled, and others. */
const texts = (node: PatternNode, seed: number): string[] => {
  let state = seed
  const pick = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const near = Array.from({ length: 8 }, () => sampleOf(node, pick))
  return [...near, ...near.flatMap((text) => [`${text}!`, text.slice(1), `\n${text}`, text.repeat(3)])].filter((text) =>
    text.isWellFormed(),
  )
}

test('decides like RE2, for every character', () => {
  let compared = 0
  const text = fc.string({ unit: fc.constantFrom(...'abAZé😀 09._-!\n\r\t\v\u2028\u0085ſKǅ²٣'), maxLength: 8 })
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), fc.nat(), (pattern, some, seed) => {
      const native = nativeMatcher(pattern)
      if (native === null || refusePattern(pattern) !== null) return
      const re2 = compilePattern(pattern)
      for (const value of [...some, ...texts(parsePattern(pattern)!, seed)]) {
        compared++
        assert.equal(native(value), re2(value), JSON.stringify([pattern, value]))
      }
    }),
    { numRuns: sampleSize(20_000) },
  )
  assert.ok(compared > sampleSize(20_000), `${compared} comparisons`)
  for (const pattern of ['^\\d$', '^\\w$', '^\\s$', '^\\D$', '^\\W$', '^\\S$', '^.$', '^[^a-z]$', '^[!-~]$']) {
    const native = nativeMatcher(pattern)!
    const re2 = compilePattern(pattern)
    for (let code = 0; code < 0x3000; code++) {
      const value = String.fromCodePoint(code)
      assert.equal(native(value), re2(value), `${pattern} and ${code.toString(16)}`)
    }
  }
})

test('refuses no character by its category that the server accepts', () => {
  for (const name of ['L', 'Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'M', 'Mn', 'N', 'Nd', 'P', 'S', 'Z', 'Zs']) {
    const native = nativeMatcher(`^\\p{${name}}$`)!
    const re2 = compilePattern(`^\\p{${name}}$`)
    for (let code = 0; code <= 0x323af; code += code < 0x3100 ? 1 : 7) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const value = String.fromCodePoint(code)
      assert.ok(native(value) || !re2(value), `${name} and ${code.toString(16)}`)
    }
  }
})

test('leaves a value to the server that has a character without a category', () => {
  const native = nativeMatcher('^\\p{L}$')!
  assert.deepEqual([native('\u0378'), native('1')], [true, false])
})

/** The steps for a value four times as long, as a multiple. A constant part counts little. */
function growth(node: PatternNode, unit: string, spoiler: string): number {
  // By characters, because the counting calls itself several times for each.
  const textOf = (length: number) => `${unit.repeat(Math.ceil(length / unit.length))}${spoiler}`
  const [short, long] = [60, 240].map((length) => countSteps(node, textOf(length)).steps)
  return long! / (short! + 100)
}

test('takes steps in proportion to the length of the value, for every pattern it accepts', () => {
  assert.ok(growth(parsePattern('a*b')!, 'a', '!') > 8)
  assert.ok(growth(parsePattern('^a*a*$')!, 'a', '!') > 8)
  let measured = 0
  fc.assert(
    fc.property(pattern, fc.nat(), (pattern, seed) => {
      if (nativeMatcher(pattern) === null) return
      const node = parsePattern(pattern)!
      const units = new Set(
        texts(node, seed)
          .slice(0, 12)
          .flatMap((text) => [text.slice(0, 6), ...text.slice(0, 3)]),
      )
      for (const unit of units) {
        if (unit === '' || !unit.isWellFormed()) continue
        measured++
        for (const spoiler of ['', '!', '\n'])
          assert.ok(growth(node, unit, spoiler) < 6, JSON.stringify([pattern, unit, spoiler]))
      }
    }),
    { numRuns: sampleSize(5000) },
  )
  // Of 625 patterns usually 480 to 860 units are measured; most patterns are left to the server.
  assert.ok(measured > sampleSize(5000) / 4, `${measured} measurements`)
})

test('matches a hundred thousand characters at once', () => {
  // A quadratic match would take many seconds.
  const values = ['a', 'ab', '1', 'A.', ' ', 'é', '😀', 'a1-'].map((unit) => `${unit.repeat(100_000)}\u0001`)
  for (const sample of fc.sample(pattern, { numRuns: sampleSize(500), seed: 7 })) {
    const native = nativeMatcher(sample)
    if (native === null) continue
    for (const value of values) {
      const started = threadMs()
      native(value)
      assert.ok(threadMs() - started < 1_000, sample)
    }
  }
})
