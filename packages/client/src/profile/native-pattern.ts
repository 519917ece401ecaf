import { type CharacterSet, classOf, emptySet, mayMeet, union } from './character-set.ts'
import { type PatternNode, parsePattern } from './parse-pattern.ts'

/** Ways through the alternatives before a repetition that the RegExp may try one after the other. */
const MOST_WAYS = 16
/** Characters of a match that may begin anywhere in the value. */
const LONGEST_FLOATING_MATCH = 64

/**
 * The matcher of a valid RE2 pattern on the native RegExp; null for patterns that could take it long, or that the two
 * engines could read differently. Those are left to the server.
 *
 * The native RegExp backtracks. It takes linear time if at each place the next character decides how to go on, so that
 * going back finds nothing else to try (one-unambiguous expressions), and if it starts at one place only.
 */
export function nativeMatcher(pattern: string): ((value: string) => boolean) | null {
  const node = parsePattern(pattern)
  if (node === null || !isLinear(node)) return null
  const source = sourceOf(node)
  const regExp = new RegExp(source, 'u')
  if (!source.includes('\\p')) return (value) => regExp.test(value)
  // The server may know characters that this browser does not know yet.
  return (value) => regExp.test(value) || /\p{Cn}/u.test(value)
}

function isLinear(node: PatternNode): boolean {
  const branches = node.kind === 'choice' ? node.branches : [node]
  const isAnchored = branches.every((branch) => branch.kind === 'sequence' && branch.parts[0]?.kind === 'start')
  return (isAnchored || longest(node) <= LONGEST_FLOATING_MATCH) && waysThrough(node, emptySet, false) <= MOST_WAYS
}

/** How many ways the RegExp may try from one place; infinite if that grows with the value. `follow` can come after the node. */
function waysThrough(node: PatternNode, follow: CharacterSet, isRepeated: boolean): number {
  const several = (count: number) => (isRepeated ? Number.POSITIVE_INFINITY : count)
  switch (node.kind) {
    case 'sequence': {
      let ways = 1
      let next = follow
      for (const part of node.parts.toReversed()) {
        ways *= waysThrough(part, next, isRepeated)
        next = headOf(part, next)
      }
      return ways
    }
    case 'choice': {
      const heads = node.branches.map((branch) => headOf(branch, follow))
      const isAmbiguous =
        node.branches.filter(isNullable).length > 1 ||
        heads.some((head, index) => heads.slice(0, index).some((other) => mayMeet(head, other)))
      const inside = node.branches.map((branch) => waysThrough(branch, follow, isRepeated))
      return isAmbiguous ? several(inside.reduce((sum, ways) => sum + ways, 0)) : Math.max(...inside)
    }
    case 'repeat': {
      const { body, min, max } = node
      if (isNullable(body)) return Number.POSITIVE_INFINITY
      // A fixed count ends where it must, whatever follows.
      const isAmbiguous = min < max && mayMeet(headOf(body, emptySet), follow)
      if (isAmbiguous && max > 1) return Number.POSITIVE_INFINITY
      const inside = waysThrough(body, max > 1 ? union(headOf(body, emptySet), follow) : follow, isRepeated || max > 1)
      return isAmbiguous ? several(inside + 1) : inside
    }
    default:
      return 1
  }
}

/** The characters that can come next where the node begins. */
function headOf(node: PatternNode, follow: CharacterSet): CharacterSet {
  switch (node.kind) {
    case 'set':
      return node.set
    case 'sequence':
      return node.parts.reduceRight((next, part) => headOf(part, next), follow)
    case 'choice':
      return node.branches.map((branch) => headOf(branch, follow)).reduce(union)
    case 'repeat': {
      const head = headOf(node.body, follow)
      return node.min === 0 ? union(head, follow) : head
    }
    default:
      return follow
  }
}

function isNullable(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
      return false
    case 'sequence':
      return node.parts.every(isNullable)
    case 'choice':
      return node.branches.some(isNullable)
    case 'repeat':
      return node.min === 0 || isNullable(node.body)
    default:
      return true
  }
}

/** The most characters that the node matches. */
function longest(node: PatternNode): number {
  switch (node.kind) {
    case 'set':
      return 1
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + longest(part), 0)
    case 'choice':
      return Math.max(...node.branches.map(longest))
    case 'repeat':
      // Zero times infinity is not a number, and nothing repeated is nothing.
      return longest(node.body) === 0 ? 0 : longest(node.body) * node.max
    default:
      return 0
  }
}

/** The node as source of a RegExp. Every character is written by its code, so that no syntax of RegExp comes into play. */
function sourceOf(node: PatternNode): string {
  switch (node.kind) {
    case 'start':
      return '^'
    case 'end':
      return '$'
    case 'set':
      return classOf(node.set)
    case 'sequence':
      return node.parts.map(sourceOf).join('')
    case 'choice':
      return `(?:${node.branches.map(sourceOf).join('|')})`
    case 'repeat':
      return `(?:${sourceOf(node.body)}){${node.min},${node.max === Number.POSITIVE_INFINITY ? '' : node.max}}`
  }
}
