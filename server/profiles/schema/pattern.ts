/**
 * Patterns from tenants run on re2js, in time linear in the value, never on the built-in RegExp, which backtracks
 * (threat E05) (threat E06). Linear still means value × pattern, so both are capped, and so is their product: a hostile
 * schema costs a request tens of milliseconds at most.
 */
import { RE2JS } from 're2js'
import { isLongerThan, isSoundText } from '../../../contract/fields/sound-text.ts'
import { nestedRepetition } from './repetition-count.ts'
import { condition, given, type Rule } from './rules.ts'

/** Code points in a pattern. */
const MAX_PATTERN_LENGTH = 256
/** Product of nested repetition counts. */
const MAX_REPETITION = 100
/** Instructions in a compiled pattern; a step takes about 20 ns. */
const MAX_INSTRUCTIONS = 500
/** Characters that ranges under `(?i)` may cover: every occurrence of `[B-\uffff]` takes 3 ms to compile. */
const MAX_FOLDED_CHARACTERS = 32_768
/** Steps of one profile update over all patterns, see `matchingSteps`; about 10 to 20 ms. */
export const MAX_MATCHING_STEPS = 524_288
/**
 * Bytes of DFA cache per pattern, enough for a few hundred states. The default of re2js is 8 MB per pattern, and building
 * states that are used once costs more than matching without them.
 */
const AUTOMATON_BYTES = 32_768

/** The rule `pattern`. It matches anywhere in the value, as in JSON Schema, unless the pattern has anchors. */
export const patternRule: Rule = condition(refusePattern)

/** The problem with a pattern, or null. Accepts any value. */
export function refusePattern(value: unknown): string | null {
  if (typeof value !== 'string') return `must be a string in RE2 syntax; ${given(value)}`
  if (value === '' || !isSoundText(value)) return 'must have at least one character and no NUL'
  if (isLongerThan(value, MAX_PATTERN_LENGTH)) return `longer than ${MAX_PATTERN_LENGTH} characters; shorten it`
  if (nestedRepetition(value) > MAX_REPETITION) {
    return `repeats more than ${MAX_REPETITION} times (nested counts multiply); lower the counts and use maxLength`
  }
  if (foldedCharacters(value) > MAX_FOLDED_CHARACTERS) {
    return `ranges cover more than ${MAX_FOLDED_CHARACTERS} characters under (?i); use \\p{L}, or remove (?i)`
  }
  try {
    const instructions = RE2JS.compile(value).programSize()
    return instructions <= MAX_INSTRUCTIONS ? null : 'too large after its repetitions are expanded; lower the counts'
  } catch (problem) {
    return syntaxProblem(value, problem)
  }
}

/** The matcher of a valid pattern: whether it matches anywhere in the value. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = RE2JS.compile(pattern)
  const automaton = compiled.re2().dfa
  automaton.stateBudget = AUTOMATON_BYTES
  automaton.memBudget = AUTOMATON_BYTES
  return (value) => compiled.test(value)
}

/**
 * The worst-case steps to match values of `characters` code points in total: characters × instructions, or one per
 * character when re2js compiles the pattern to one pass (most patterns that start with `^`).
 */
export function matchingSteps(pattern: string, characters: number): number {
  const compiled = RE2JS.compile(pattern)
  return characters * (compiled.re2().onepass === null ? compiled.programSize() : 1)
}

function syntaxProblem(pattern: string, problem: unknown): string {
  if (/\(\?<?[=!]/.test(pattern))
    return 'lookaround is not part of RE2 syntax; write the pattern without (?=, (?!, (?<= and (?<!'
  if (/\\[1-9]|\\k</.test(pattern))
    return 'backreferences are not part of RE2 syntax; write the pattern without \\1 or \\k<name>'
  const reason = problem instanceof Error ? problem.message.replace('error parsing regexp: ', '') : 'unknown reason'
  return `invalid RE2 syntax (${reason}); see https://github.com/google/re2/wiki/Syntax`
}

/** How many characters the ranges of a pattern cover together, where it ignores case anywhere; 0 where it does not. */
function foldedCharacters(pattern: string): number {
  if (!/\(\?[a-zA-Z-]*i/.test(pattern)) return 0
  let characters = 0
  // Looking around the hyphen instead of consuming its ends, so that a hyphen can be an end itself.
  for (const [, from, escaped, to] of pattern.matchAll(/(?<=(.))-(?=\\x\{([0-9a-fA-F]+)\}|(.))/gsu)) {
    const last = escaped === undefined ? to!.codePointAt(0)! : Number.parseInt(escaped, 16)
    characters += Math.max(0, last - from!.codePointAt(0)!)
  }
  return characters
}
