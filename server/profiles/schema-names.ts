const NAME = /^[a-z][A-Za-z0-9_]{0,63}$/
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The profile's own columns, and what JavaScript would take for something else (threat A06). */
const RESERVED = ['id', 'createdAt', 'updatedAt', 'tenantId', 'userId', '__proto__', 'constructor', 'prototype']

/** What is wrong with the name of a field, a section or a form, and what to do; null when it is a good one. */
export function refuseName(value: unknown): string | null {
  if (typeof value !== 'string') return 'is missing or no text; give a name such as firstName'
  if (RESERVED.includes(value)) return `is reserved; choose a name other than ${RESERVED.join(', ')}`
  if (NAME.test(value)) return null
  return 'must start with a small letter and have 1 to 64 letters, digits or underscores, such as firstName'
}

/** What is wrong with a version and what to do; null when it can stand in a URL's query as it is. */
export function refuseVersion(value: unknown): string | null {
  if (typeof value === 'string' && VERSION.test(value)) return null
  return 'must be a text of 1 to 64 letters, digits, dots, hyphens or underscores that starts with a letter or digit, such as "2026-01"; leave it out to have it numbered'
}
