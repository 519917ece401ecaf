import type { z } from 'zod'

/**
 * The messages of `error.validation`, to the letter of contract 7 (Zod 3's wording, which Zod 4 no longer has).
 * Given to each parse, so nothing global is set. Checks of our own (`text`, `emailAddress`) bring their message along.
 */
export const validationMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required'
      if (issue.expected === 'int' || (issue as { format?: string }).format === 'safeint') {
        return typeof issue.input === 'number'
          ? 'Expected integer, received float'
          : `Expected integer, received ${typeName(issue.input)}`
      }
      return `Expected ${expectedName(issue.expected)}, received ${typeName(issue.input)}`
    case 'invalid_value':
    case 'invalid_union':
      return issue.input === undefined || isMissingDiscriminator(issue) ? 'Required' : 'Invalid enum value'
    case 'too_small':
      return issue.origin === 'string'
        ? `String must contain at least ${issue.minimum} character(s)`
        : 'Validation rule not met'
    case 'too_big':
      return issue.origin === 'string'
        ? `String must contain at most ${issue.maximum} character(s)`
        : 'Validation rule not met'
    default:
      return 'Validation rule not met'
  }
}

/** How a JSON value is called in a message: string, number, boolean, null, array, object. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

/** More than this many messages help nobody, and a large body must not make a larger answer. */
export const maxIssues = 100

/** One message a field, the first that applies; keys are dotted paths, `body` for the body itself. */
export function fieldMessages(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const messages: Record<string, string> = Object.create(null)
  for (const issue of issues.slice(0, maxIssues)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, maxIssues)) messages[[...issue.path, key].join('.')] ??= 'Unrecognized key'
      continue
    }
    messages[issue.path.join('.') || 'body'] ??= issue.message
  }
  return messages
}

const expectedName = (expected: string) => (expected === 'record' ? 'object' : expected)

function isMissingDiscriminator(issue: z.core.$ZodRawIssue): boolean {
  const { discriminator, input } = issue as { discriminator?: string; input?: unknown }
  return discriminator !== undefined && typeof input === 'object' && input !== null && !(discriminator in input)
}
