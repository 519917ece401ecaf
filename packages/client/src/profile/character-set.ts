/** A set of characters: ranges of code points, and Unicode general categories. */
export interface CharacterSet {
  readonly ranges: readonly Range[]
  readonly categories: readonly string[]
}

export type Range = readonly [from: number, to: number]

const LAST = 0x10ffff
const ASCII_SIGNS: readonly Range[] = [
  [0x21, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0x7e],
]

/** The categories that patterns may name, with a superset of their ASCII characters. */
const asciiOf: Readonly<Record<string, readonly Range[]>> = {
  L: [
    [0x41, 0x5a],
    [0x61, 0x7a],
  ],
  Lu: [[0x41, 0x5a]],
  Ll: [[0x61, 0x7a]],
  Lt: [],
  Lm: [],
  Lo: [],
  M: [],
  Mn: [],
  N: [[0x30, 0x39]],
  Nd: [[0x30, 0x39]],
  P: ASCII_SIGNS,
  S: ASCII_SIGNS,
  Z: [[0x20, 0x20]],
  Zs: [[0x20, 0x20]],
}

export const emptySet: CharacterSet = { ranges: [], categories: [] }

export const setOf = (...ranges: readonly Range[]): CharacterSet => ({ ranges, categories: [] })

/** The set of a general category such as `Lu`; undefined for other properties. */
export function category(name: string): CharacterSet | undefined {
  return Object.hasOwn(asciiOf, name) ? { ranges: [], categories: [name] } : undefined
}

export function union(one: CharacterSet, other: CharacterSet): CharacterSet {
  return {
    ranges: [...one.ranges, ...other.ranges],
    categories: [...new Set([...one.categories, ...other.categories])],
  }
}

/** Every other character; the set must have no categories. */
export function complement({ ranges }: CharacterSet): CharacterSet {
  const gaps: Range[] = []
  let next = 0
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    if (from > next) gaps.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= LAST) gaps.push([next, LAST])
  return setOf(...gaps)
}

/** Whether a character may be in both sets. True for any two categories, because each has characters beyond ASCII. */
export function mayMeet(one: CharacterSet, other: CharacterSet): boolean {
  const others = widened(other)
  return widened(one).some(([from, to]) => others.some(([start, end]) => from <= end && start <= to))
}

function widened({ ranges, categories }: CharacterSet): readonly Range[] {
  return categories.length === 0 ? ranges : [...ranges, ...categories.flatMap((name) => asciiOf[name]!), [0x80, LAST]]
}

/** The set as a class of a RegExp with the flag `u`. */
export function classOf({ ranges, categories }: CharacterSet): string {
  const point = (code: number) => `\\u{${code.toString(16)}}`
  const parts = ranges.map(([from, to]) => (from === to ? point(from) : `${point(from)}-${point(to)}`))
  return `[${parts.join('')}${categories.map((name) => `\\p{${name}}`).join('')}]`
}
