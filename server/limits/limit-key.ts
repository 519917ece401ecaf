import { hash } from 'node:crypto'

/**
 * What a limit is counted under outside this process. Subjects are addresses of people and machines, which a shared
 * store need not know, and of any length: `resend:` and the SHA-256 of the subject.
 */
export const limitKey = (name: string, subject: string): string => `${name}:${hash('sha256', subject, 'base64url')}`
