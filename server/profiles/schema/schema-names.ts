const NAME = /^[a-z][A-Za-z0-9_]{0,63}$/
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The profile's own properties, and names with a meaning in JavaScript (threat A06). */
const RESERVED = ['id', 'createdAt', 'updatedAt', 'tenantId', 'userId', '__proto__', 'constructor', 'prototype']

/** The problem with the name of a field, section or form; null when it is valid. */
export function refuseName(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string; use a name such as firstName'
  if (RESERVED.includes(value)) return `reserved name; choose a name other than ${RESERVED.join(', ')}`
  if (NAME.test(value)) return null
  return 'must be 1 to 64 ASCII letters, digits or underscores and start with a lowercase letter, such as firstName'
}

/** The problem with a version; null when it is valid, which includes that a URL's query needs no escaping for it. */
export function refuseVersion(value: unknown): string | null {
  if (typeof value === 'string' && VERSION.test(value)) return null
  return 'must be 1 to 64 ASCII letters, digits, dots, hyphens or underscores and start with a letter or digit, such as "2026-01"; omit it to get the next number'
}
