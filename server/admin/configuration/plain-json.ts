import { isSoundText } from '../../../contract/fields/sound-text.ts'

/** Maximum number of reported problems. */
const maxMessages = 100

/**
 * Finds values of a parsed body that cannot be stored and returned unchanged: numbers that JSON or a double cannot
 * represent (parsed as infinite or NaN), text with NUL or lone surrogates, and members named `__proto__`, which pollute prototypes
 * when they are merged.
 * @returns dotted path → message; empty without problems
 */
export function plainJsonProblems(value: unknown): Record<string, string> {
  const problems = new Map<string, string>()
  check(value, [], problems)
  return Object.fromEntries(problems)
}

/** Recursion is bounded: bodies have at most 32 levels. */
function check(value: unknown, path: readonly (string | number)[], problems: Map<string, string>): void {
  if (problems.size >= maxMessages) return
  const report = (message: string) => problems.set(path.join('.').toWellFormed() || 'body', message)
  switch (typeof value) {
    case 'string':
      if (!isSoundText(value)) report('Invalid string')
      break
    case 'number':
      if (!Number.isFinite(value)) report('This number cannot be kept exactly: send it as a string')
      break
    case 'object':
      if (Array.isArray(value)) value.forEach((item, index) => void check(item, [...path, index], problems))
      else if (value !== null)
        for (const [name, member] of Object.entries(value)) checkMember(name, member, path, problems)
      break
    case 'boolean':
      break
    default:
      report('Expected JSON')
  }
}

function checkMember(
  name: string,
  value: unknown,
  path: readonly (string | number)[],
  problems: Map<string, string>,
): void {
  const at = [...path, name]
  if (name === '__proto__') problems.set(at.join('.'), 'This name is reserved: choose another')
  else if (!isSoundText(name)) problems.set(at.join('.').toWellFormed(), 'Invalid string')
  else check(value, at, problems)
}
