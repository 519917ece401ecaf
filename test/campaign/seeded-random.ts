/** A repeatable random generator: the same seed gives the same numbers. For tests, never for secrets. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** A whole number from 0 to `end - 1`. */
  below(end: number): number
  pick<T>(items: readonly T[]): T
  /** The same items in another order. */
  shuffled<T>(items: readonly T[]): T[]
}

/** Mulberry32, seeded with a hash of the names: `seededRandom(7, 'D01', round)`. */
export function seededRandom(...names: readonly (string | number)[]): Random {
  let state = hashOf(names.join(' '))

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const below = (end: number): number => Math.floor(next() * end)

  function shuffled<T>(items: readonly T[]): T[] {
    const left = [...items]
    return items.map(() => left.splice(below(left.length), 1)[0]!)
  }

  return { next, below, pick: (items) => items[below(items.length)]!, shuffled }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return hash
}
