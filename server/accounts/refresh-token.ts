import { hash, randomBytes } from 'node:crypto'
import type { Keyring } from '../secrets/keyring.ts'
import { sameText } from '../secrets/random-code.ts'

/** Whose session a refresh token is of. */
export interface RefreshTokenOf {
  readonly tenantId: string
  readonly sessionId: string
}

/**
 * Refresh tokens, `rt_<session id>_<256 bits>_<132 bits of HMAC>`: opaque to clients, stored as SHA-256 (design 6). The
 * HMAC tells a token that was used up from one that was never given out: only the former ends its session, so that
 * nobody who has merely seen a session's id can end it.
 */
export interface RefreshTokens {
  first(of: RefreshTokenOf): string
  /**
   * What may follow the token, the one to hand out first: always the same for a token, so that two refreshes at once
   * agree and a lost answer can be given again, without keeping it. One a master key, as these are rotated.
   */
  successors(token: string, of: RefreshTokenOf): readonly [string, ...string[]]
  /** The session that a token names; null for what is no refresh token by its form. */
  sessionOf(token: string): string | null
  /** Whether this deployment once gave it out for that session, under a master key it still has. */
  wasGivenOut(token: string, of: RefreshTokenOf): boolean
}

const form = /^rt_([0-9A-HJKMNP-TV-Z]{26})_([\w-]{43})_([\w-]{22})$/
const tagLength = 22

/** SHA-256 of a token: what is stored of it. */
export const refreshHash = (token: string): string => hash('sha256', token, 'hex')

export function createRefreshTokens(keyring: Keyring): RefreshTokens {
  const tagsOf = (secret: string, { tenantId, sessionId }: RefreshTokenOf) =>
    keyring.authenticate(secret, ['refresh-token', tenantId, sessionId]).map((mac) => mac.slice(0, tagLength))

  /** @param key which of the ring's keys the token is made with, the current one first */
  const write = (secret: string, of: RefreshTokenOf, key: number): string =>
    `rt_${of.sessionId}_${secret}_${tagsOf(secret, of)[key]}`

  return {
    first: (of) => write(randomBytes(32).toString('base64url'), of, 0),

    successors(token, of) {
      const secrets = keyring.authenticate(token, ['refresh-successor', of.tenantId, of.sessionId])
      const [first, ...others] = secrets.map((secret, key) => write(secret, of, key))
      return [first!, ...others]
    },

    sessionOf: (token) => form.exec(token)?.[1] ?? null,

    wasGivenOut(token, of) {
      const [, sessionId, secret, tag] = form.exec(token) ?? []
      if (sessionId !== of.sessionId || secret === undefined || tag === undefined) return false
      return tagsOf(secret, of).some((own) => sameText(tag, own))
    },
  }
}
