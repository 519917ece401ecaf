import fc, { type StringConstraints } from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const character = fc
  .nat(0x10_ffff - surrogates.count)
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count))

/**
 * Text of any characters, as `fc.string({ unit: 'binary' })`, which takes a second of processor time to prepare.
 * @param constraints the lengths in code points
 */
export const anyText = (constraints: Pick<StringConstraints, 'minLength' | 'maxLength'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character })
