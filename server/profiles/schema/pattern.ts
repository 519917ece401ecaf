/**
 * Patterns from tenants run on re2js, in time linear in the value, never on the built-in RegExp, which backtracks
 * (threat E05) (threat E06). Linear still means value × pattern, so both are capped, and so is their product: a hostile
 * schema costs a request tens of milliseconds at most.
 */
import { RE2JS } from 're2js'
import { isLongerThan, isSoundText } from '../../../contract/fields/sound-text.ts'
import { LruCache } from '../../core/lru-cache.ts'
import { nestedRepetition } from './repetition-count.ts'
import { given, type Rule, unordered } from './rules.ts'

/** Code points in a pattern. */
const MAX_PATTERN_LENGTH = 256
/** Product of nested repetition counts. */
const MAX_REPETITION = 100
/** Instructions in a compiled pattern; a step takes about 20 ns. */
const MAX_INSTRUCTIONS = 500
/** Characters that ranges under `(?i)` may cover: every occurrence of `[B-\uffff]` takes 3 ms to compile. */
const MAX_FOLDED_CHARACTERS = 32_768
/** Unicode classes such as `\p{L}` that a pattern may name: compiling one takes up to 40 µs, and 120 µs under `(?i)`. */
const MAX_UNICODE_CLASSES = 16
const MAX_FOLDED_CLASSES = 4
/** Compiled patterns that are found again: as many as a schema can have. */
const RECENT_PATTERNS = 50
/** Steps of one profile update over all patterns, see `matchingSteps`; about 10 to 20 ms. */
export const MAX_MATCHING_STEPS = 524_288
/**
 * Bytes of DFA cache per pattern, enough for a few hundred states. The default of re2js is 8 MB per pattern, and building
 * states that are used once costs more than matching without them.
 */
const AUTOMATON_BYTES = 32_768

/** The rule `pattern`. It matches anywhere in the value, as in JSON Schema, unless the pattern has anchors. */
export const patternRule: Rule = unordered(refusePattern)

/** The problem with a pattern, or null. Accepts any value. */
export function refusePattern(value: unknown): string | null {
  if (typeof value !== 'string') return `must be a string in RE2 syntax; ${given(value)}`
  if (value === '' || !isSoundText(value)) return 'must have at least one character and no NUL'
  if (isLongerThan(value, MAX_PATTERN_LENGTH)) return `longer than ${MAX_PATTERN_LENGTH} characters; shorten it`
  if (isLiteral(value)) return 'stands between slashes, which are characters here; remove them, and write (?i) for /i'
  if (nestedRepetition(value) > MAX_REPETITION) {
    return `repeats more than ${MAX_REPETITION} times (nested counts multiply); lower the counts and use maxLength`
  }
  if (foldedCharacters(value) > MAX_FOLDED_CHARACTERS) {
    return `ranges cover more than ${MAX_FOLDED_CHARACTERS} characters under (?i); use \\p{L}, or remove (?i)`
  }
  const classes = value.match(/\\[pP]/g)?.length ?? 0
  if (ignoresCase(value) && classes > MAX_FOLDED_CLASSES) {
    return `names more than ${MAX_FOLDED_CLASSES} Unicode classes such as \\p{L} under (?i); remove (?i), or use fewer classes`
  }
  if (classes > MAX_UNICODE_CLASSES) {
    return `names more than ${MAX_UNICODE_CLASSES} Unicode classes such as \\p{L}; use counts such as \\p{L}{2,9}, or fewer classes`
  }
  try {
    const instructions = compile(value).programSize()
    return instructions <= MAX_INSTRUCTIONS ? null : 'too large after its repetitions are expanded; lower the counts'
  } catch (problem) {
    return syntaxProblem(value, problem)
  }
}

/** A literal of JavaScript, such as `/^a$/i`: nothing stands before a beginning or after an end, so it matches no value. */
const isLiteral = (pattern: string): boolean => /^\/\^|(?<!\\)\$\/[a-z]*$/.test(pattern)

/** The matcher of a valid pattern: whether it matches anywhere in the value. */
export function compilePattern(pattern: string): (value: string) => boolean {
  const compiled = compile(pattern)
  return (value) => compiled.test(value)
}

/**
 * Publishing a schema needs each of its patterns three times: for its size, for its steps and for its matcher. Weak, so that
 * an unused schema frees what its patterns have matched.
 */
const recent = new LruCache<WeakRef<RE2JS>>(RECENT_PATTERNS)

function compile(pattern: string): RE2JS {
  const known = recent.peek(pattern)?.deref()
  if (known !== undefined) return known
  const compiled = RE2JS.compile(pattern)
  const automaton = compiled.re2().dfa
  automaton.stateBudget = AUTOMATON_BYTES
  automaton.memBudget = AUTOMATON_BYTES
  recent.set(pattern, new WeakRef(compiled))
  return compiled
}

/**
 * The worst-case steps to match values of `characters` code points in total: characters × instructions, or one per
 * character when re2js compiles the pattern to one pass (most patterns that start with `^`).
 */
export function matchingSteps(pattern: string, characters: number): number {
  const compiled = compile(pattern)
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

/** Whether a pattern ignores case anywhere. */
const ignoresCase = (pattern: string): boolean => /\(\?[a-zA-Z-]*i/.test(pattern)

/** How many characters the ranges of a pattern cover together if it ignores case anywhere; otherwise 0. */
function foldedCharacters(pattern: string): number {
  if (!ignoresCase(pattern)) return 0
  let characters = 0
  // Looking around the hyphen instead of consuming its ends, so that a hyphen can be an end itself.
  for (const [, from, escaped, to] of pattern.matchAll(/(?<=(.))-(?=\\x\{([0-9a-fA-F]+)\}|(.))/gsu)) {
    const last = escaped === undefined ? to!.codePointAt(0)! : Number.parseInt(escaped, 16)
    characters += Math.max(0, last - from!.codePointAt(0)!)
  }
  return characters
}
