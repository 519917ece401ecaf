import { hash } from 'node:crypto'
import { randomToken } from '../../core/ids.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { sameText } from '../../secrets/random-code.ts'

/** The session that a refresh token belongs to. */
interface RefreshTokenOf {
  readonly tenantId: string
  readonly sessionId: string
}

/**
 * Refresh tokens, `rt_<session id>_<256 bits>_<132 bits of HMAC>`: opaque to clients, stored as SHA-256. The HMAC
 * distinguishes a used token from one that was never issued. Only a used one ends its session, so knowing a session id
 * is not enough to end it.
 */
export interface RefreshTokens {
  first(of: RefreshTokenOf): string
  /**
   * The possible successors of a token, the one to issue first. They are derived from the token, so that concurrent
   * refreshes agree and a lost response can be repeated without storing it. One for each master key, because these are
   * rotated.
   */
  successors(token: string, of: RefreshTokenOf): readonly [string, ...string[]]
  /** The session id in a token; null when the text is not a refresh token. */
  sessionOf(token: string): string | null
  /** Whether this deployment issued the token for that session, under a master key it still has. */
  wasGivenOut(token: string, of: RefreshTokenOf): boolean
}

const form = /^rt_([0-9A-HJKMNP-TV-Z]{26})_([\w-]{43})_([\w-]{22})$/
const tagLength = 22

/** SHA-256 of a token; only this is stored. */
export const refreshHash = (token: string): string => hash('sha256', token, 'hex')

export function createRefreshTokens(keyring: Keyring): RefreshTokens {
  const tagsOf = (secret: string, { tenantId, sessionId }: RefreshTokenOf) =>
    keyring.authenticate(secret, ['refresh-token', tenantId, sessionId]).map((mac) => mac.slice(0, tagLength))

  /** @param key index of the master key, the current one first */
  const write = (secret: string, of: RefreshTokenOf, key: number): string =>
    `rt_${of.sessionId}_${secret}_${tagsOf(secret, of)[key]}`

  return {
    first: (of) => write(randomToken(32), of, 0),

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
