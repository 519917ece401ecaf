import { type CharacterSet, category, complement, emptySet, type Range, setOf, union } from './character-set.ts'

/** A pattern of the subset of RE2's syntax that this client understands. */
export type PatternNode =
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }

/** Beyond the subset; the pattern is left to the server. */
class Unsupported extends Error {}

const newline = setOf([0x0a, 0x0a])
const digits = setOf([0x30, 0x39])
const wordCharacters = setOf([0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a])
const spaces = setOf([0x09, 0x0a], [0x0c, 0x0d], [0x20, 0x20])
/** RE2's Perl classes are ASCII, and `\s` has no vertical tab. */
const perlClasses: Readonly<Record<string, CharacterSet>> = {
  d: digits,
  w: wordCharacters,
  s: spaces,
  D: complement(digits),
  W: complement(wordCharacters),
  S: complement(spaces),
}
const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }

/** Reads a valid RE2 pattern; null beyond the subset: flags, named groups, `\b`, POSIX classes, scripts, `^` and `$` inside. */
export function parsePattern(pattern: string): PatternNode | null {
  try {
    return parse(Array.from(pattern))
  } catch (problem) {
    if (problem instanceof Unsupported) return null
    throw problem
  }
}

function parse(text: readonly string[]): PatternNode {
  let at = 0
  const fail = (): never => {
    throw new Unsupported()
  }
  const takes = (sign: string): boolean => text[at] === sign && ++at > 0

  function choice(isTop: boolean): PatternNode {
    const branches = [sequence(isTop)]
    while (takes('|')) branches.push(sequence(isTop))
    return branches.length === 1 ? branches[0]! : { kind: 'choice', branches }
  }

  function sequence(isTop: boolean): PatternNode {
    const parts: PatternNode[] = []
    if (isTop && takes('^')) parts.push({ kind: 'start' })
    while (at < text.length && text[at] !== '|' && text[at] !== ')') {
      if (text[at] !== '$') {
        parts.push(repetition(atom()))
        continue
      }
      at++
      if (!isTop || (at < text.length && text[at] !== '|')) fail()
      parts.push({ kind: 'end' })
    }
    return { kind: 'sequence', parts }
  }

  function repetition(body: PatternNode): PatternNode {
    const bounds = repetitionBounds()
    if (bounds === null) return body
    // Lazy or not, the same values match.
    takes('?')
    if (repetitionBounds() !== null) fail()
    return { kind: 'repeat', body, min: bounds[0], max: bounds[1] }
  }

  function repetitionBounds(): readonly [min: number, max: number] | null {
    if (takes('*')) return [0, Number.POSITIVE_INFINITY]
    if (takes('+')) return [1, Number.POSITIVE_INFINITY]
    if (takes('?')) return [0, 1]
    if (!takes('{')) return null
    const min = number()
    const max = takes(',') ? (text[at] === '}' ? Number.POSITIVE_INFINITY : number()) : min
    return takes('}') && max > 0 ? [min, max] : fail()
  }

  function number(): number {
    let digits = ''
    while (/^[0-9]$/.test(text[at] ?? '')) digits += text[at++]
    return digits === '' || Number(digits) > 1000 ? fail() : Number(digits)
  }

  function atom(): PatternNode {
    if (takes('(')) {
      if (takes('?') && !takes(':')) fail()
      const group = choice(false)
      return takes(')') ? group : fail()
    }
    if (takes('[')) return { kind: 'set', set: characterClass() }
    if (takes('.')) return { kind: 'set', set: complement(newline) }
    if (takes('\\')) return { kind: 'set', set: escaped() }
    const character = text[at++]!
    return '^*+?{}]'.includes(character) ? fail() : { kind: 'set', set: single(character) }
  }

  function characterClass(): CharacterSet {
    const isNegated = takes('^')
    let set = emptySet
    if (text[at] === ']') fail()
    for (const first = at; !takes(']'); ) {
      const from = classItem(at === first)
      if (text[at] !== '-' || text[at + 1] === ']') {
        set = union(set, from)
        continue
      }
      at++
      set = union(set, setOf(rangeBetween(from, classItem(false))))
    }
    if (!isNegated) return set
    return set.categories.length === 0 ? complement(set) : fail()
  }

  function classItem(isFirst: boolean): CharacterSet {
    if (takes('\\')) return escaped()
    const character = text[at++] ?? fail()
    // A hyphen elsewhere, a leading `]` and `[:alpha:]` mean something else to one of the engines.
    if (character === '[' || character === ']') fail()
    if (character === '-' && !isFirst && text[at] !== ']') fail()
    return single(character)
  }

  function rangeBetween(from: CharacterSet, to: CharacterSet): Range {
    const [start, second] = from.ranges
    const [end, fourth] = to.ranges
    if (start === undefined || end === undefined || second !== undefined || fourth !== undefined) return fail()
    if (start[0] !== start[1] || end[0] !== end[1]) fail()
    return start[0] <= end[0] ? [start[0], end[0]] : fail()
  }

  function escaped(): CharacterSet {
    const sign = text[at++] ?? fail()
    if (Object.hasOwn(perlClasses, sign)) return perlClasses[sign]!
    if (Object.hasOwn(controls, sign)) return setOf([controls[sign]!, controls[sign]!])
    if (sign === 'p') return category(takes('{') ? until('}') : (text[at++] ?? fail())) ?? fail()
    if (sign === 'x') return hexadecimal()
    // RE2 takes any escaped ASCII punctuation as itself.
    return /^[!-/:-@[-`{-~]$/.test(sign) ? single(sign) : fail()
  }

  function hexadecimal(): CharacterSet {
    const code = takes('{') ? until('}') : `${text[at++] ?? ''}${text[at++] ?? ''}`
    const point = /^[0-9A-Fa-f]{1,6}$/.test(code) ? Number.parseInt(code, 16) : fail()
    return point <= 0x10ffff ? setOf([point, point]) : fail()
  }

  function until(end: string): string {
    let inside = ''
    while (text[at] !== end) inside += text[at++] ?? fail()
    at++
    return inside
  }

  const node = choice(true)
  return at === text.length ? node : fail()
}

function single(character: string): CharacterSet {
  const code = character.codePointAt(0)!
  return setOf([code, code])
}
