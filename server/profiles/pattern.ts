/**
 * Patterns that tenants write, run on re2js: linear in the value whatever the pattern, never the built-in RegExp, which
 * backtracks (design 7, threats E05 and E06). Linear still means value × pattern, so both are capped, and so is their
 * product; with these caps a hostile schema costs a request tens of milliseconds at most.
 */
import { RE2JS } from 're2js'
import { isSoundText } from '../../contract/text.ts'
import { nestedRepetition } from './repetition-count.ts'
import { condition, given, type Rule } from './rules.ts'
import { isLongerThan } from './text-length.ts'

/** Code points of a pattern. */
const MAX_PATTERN_LENGTH = 256
/** Code points of a value, or of a list's item, that a pattern may be asked to look at. */
export const MAX_MATCHED_LENGTH = 1024
/** Product of nested repetition counts. */
const MAX_REPETITION = 100
/** Instructions of a compiled pattern; a step takes about 20 ns. */
const MAX_INSTRUCTIONS = 500
/** Characters that ranges under `(?i)` may cover: `[B-\uffff]` takes 3 ms to compile there, for every time it is written. */
const MAX_FOLDED_CHARACTERS = 32_768
/** Steps one profile update may take over all its patterns, see `matchingSteps`; about 10 to 20 ms. */
export const MAX_MATCHING_STEPS = 524_288
/**
 * Bytes of automaton kept per pattern, enough for some hundred states. re2js would keep 8 MB, for each of a schema's patterns,
 * and building states that are never met again costs more than matching without them.
 */
const AUTOMATON_BYTES = 32_768

/** The rule `pattern`, the same for every kind that has it. Search semantics, as in JSON Schema: anchor it yourself. */
export const patternRule: Rule = condition(refusePattern)

/** What is wrong with a pattern and what to do, or null. Safe on any value. */
export function refusePattern(value: unknown): string | null {
  if (typeof value !== 'string') return `must be a pattern in RE2 syntax, as a string; ${given(value)}`
  if (value === '' || !isSoundText(value)) return 'must be a pattern of at least one character, without NUL'
  if (isLongerThan(value, MAX_PATTERN_LENGTH)) return `is longer than ${MAX_PATTERN_LENGTH} characters; shorten it`
  if (nestedRepetition(value) > MAX_REPETITION) {
    return `repeats more than ${MAX_REPETITION} times (nested counts multiply); lower the counts and use maxLength`
  }
  if (foldedCharacters(value) > MAX_FOLDED_CHARACTERS) {
    return `has ranges of more than ${MAX_FOLDED_CHARACTERS} characters under (?i); use \\p{L}, or drop (?i)`
  }
  try {
    const instructions = RE2JS.compile(value).programSize()
    return instructions <= MAX_INSTRUCTIONS
      ? null
      : 'is too large once its repetitions are written out; lower the counts'
  } catch (problem) {
    return syntaxProblem(value, problem)
  }
}

/** The matcher of a pattern that `refusePattern` accepted: whether it is found anywhere in the value. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = RE2JS.compile(pattern)
  const automaton = compiled.re2().dfa
  automaton.stateBudget = AUTOMATON_BYTES
  automaton.memBudget = AUTOMATON_BYTES
  return (value) => compiled.test(value)
}

/**
 * The steps it takes at worst to match values of `characters` code points in all: characters × instructions, or one a
 * character where re2js finds that the pattern never has to choose (most patterns that start with `^`).
 */
export function matchingSteps(pattern: string, characters: number): number {
  const compiled = RE2JS.compile(pattern)
  return characters * (compiled.re2().onepass === null ? compiled.programSize() : 1)
}

function syntaxProblem(pattern: string, problem: unknown): string {
  if (/\(\?<?[=!]/.test(pattern))
    return 'uses lookaround, which RE2 syntax does not have; write it without (?=, (?!, (?<= and (?<!'
  if (/\\[1-9]|\\k</.test(pattern))
    return 'uses a backreference, which RE2 syntax does not have; write it without \\1 or \\k<name>'
  const reason = problem instanceof Error ? problem.message.replace('error parsing regexp: ', '') : 'unknown reason'
  return `is not RE2 syntax (${reason}); see https://github.com/google/re2/wiki/Syntax`
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
