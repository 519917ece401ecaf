import { hash } from 'node:crypto'

/**
 * The key of a counter outside this process: `resend:` and the SHA-256 of the subject. Subjects are addresses of people
 * and machines, which a shared store must not contain, and have any length.
 */
export const limitKey = (name: string, subject: string): string => `${name}:${hash('sha256', subject, 'base64url')}`
