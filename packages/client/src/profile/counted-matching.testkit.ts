import type { CharacterSet } from './character-set.ts'
import type { PatternNode } from './parse-pattern.ts'

/**
 * Matches as a backtracking RegExp does, at each place of the value in turn, and counts the steps. Knows no shortcuts, so
 * the native RegExp takes no more.
 */
export function countSteps(node: PatternNode, value: string): { matches: boolean; steps: number } {
  const text = Array.from(value, (character) => character.codePointAt(0)!)
  let steps = 0

  const walk = (part: PatternNode, at: number, then: (at: number) => boolean): boolean => {
    steps++
    switch (part.kind) {
      case 'start':
        return at === 0 && then(at)
      case 'end':
        return at === text.length && then(at)
      case 'set':
        return at < text.length && includes(part.set, text[at]!) && then(at + 1)
      case 'sequence': {
        const from = (index: number, place: number): boolean =>
          index === part.parts.length ? then(place) : walk(part.parts[index]!, place, (next) => from(index + 1, next))
        return from(0, at)
      }
      case 'choice':
        return part.branches.some((branch) => walk(branch, at, then))
      case 'repeat': {
        const { body, min, max } = part
        const again = (count: number, place: number): boolean => {
          steps++
          const goesOn = (next: number) => (next > place || count < min) && again(count + 1, next)
          return (count < max && walk(body, place, goesOn)) || (count >= min && then(place))
        }
        return again(0, at)
      }
    }
  }

  for (let start = 0; start <= text.length; start++) {
    if (walk(node, start, () => true)) return { matches: true, steps }
  }
  return { matches: false, steps }
}

function includes({ ranges, categories }: CharacterSet, code: number): boolean {
  return (
    ranges.some(([from, to]) => code >= from && code <= to) ||
    categories.some((name) => new RegExp(`\\p{${name}}`, 'u').test(String.fromCodePoint(code)))
  )
}

/** A text that takes the pattern far: it matches, unless alternatives exclude each other. `pick` returns 0 to `below` - 1. */
export function sampleOf(node: PatternNode, pick: (below: number) => number): string {
  switch (node.kind) {
    case 'set': {
      const { ranges, categories } = node.set
      const range = ranges[pick(Math.max(1, ranges.length))]
      if (range === undefined) return categories.length > 0 ? 'aAé1. '[pick(6)]! : ''
      return String.fromCodePoint(range[0] + pick(Math.min(range[1] - range[0] + 1, 100))).toWellFormed()
    }
    case 'sequence':
      return node.parts.map((part) => sampleOf(part, pick)).join('')
    case 'choice':
      return sampleOf(node.branches[pick(node.branches.length)]!, pick)
    case 'repeat': {
      const count = Math.min(node.max, node.min + pick(3))
      return Array.from({ length: count }, () => sampleOf(node.body, pick)).join('')
    }
    default:
      return ''
  }
}
