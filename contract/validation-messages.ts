import type { z } from 'zod'
import { typeName } from './fields/messages.ts'

/**
 * The messages of `error.validation`. Clients depend on this exact wording, which is Zod 3's and no longer in Zod 4.
 * Passed to each parse instead of set globally. Custom checks (`text`, `emailAddress`) set their own message.
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
      // Such as 1e400, which is read as Infinity.
      if (issue.expected === 'number' && typeof issue.input === 'number') return 'Validation rule not met'
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

/** Bounds the response: a large invalid body must not produce a larger response. */
export const maxIssues = 100

/** One message per field, the first that applies. Keys are dotted paths; `body` is the body itself. */
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
