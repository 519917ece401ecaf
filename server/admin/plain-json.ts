import { isSoundText } from '../../contract/text.ts'

/** More than this many messages help nobody. */
const maxMessages = 100

/**
 * What in a parsed body could not be kept and given back as it came: numbers that JSON or a double cannot hold (they
 * arrive as NaN), text with NUL or lone surrogates, and members called `__proto__`, which pollute whoever merges them.
 * @returns dotted path → message; empty when all is plain JSON
 */
export function plainJsonProblems(value: unknown): Record<string, string> {
  const problems = new Map<string, string>()
  look(value, [], problems)
  return Object.fromEntries(problems)
}

/** Depth is bounded by the body's: 32 levels (design 2). */
function look(value: unknown, path: readonly (string | number)[], problems: Map<string, string>): void {
  if (problems.size >= maxMessages) return
  const refuse = (message: string) => problems.set(path.join('.').toWellFormed() || 'body', message)
  switch (typeof value) {
    case 'string':
      if (!isSoundText(value)) refuse('Invalid string')
      break
    case 'number':
      if (!Number.isFinite(value)) refuse('This number cannot be kept exactly: send it as a string')
      break
    case 'object':
      if (Array.isArray(value)) value.forEach((item, index) => void look(item, [...path, index], problems))
      else if (value !== null)
        for (const [name, member] of Object.entries(value)) lookAtMember(name, member, path, problems)
      break
    case 'boolean':
      break
    default:
      refuse('Expected JSON')
  }
}

function lookAtMember(
  name: string,
  value: unknown,
  path: readonly (string | number)[],
  problems: Map<string, string>,
): void {
  const at = [...path, name]
  if (name === '__proto__') problems.set(at.join('.'), 'This name is reserved: choose another')
  else if (!isSoundText(name)) problems.set(at.join('.').toWellFormed(), 'Invalid string')
  else look(value, at, problems)
}
