import { hash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import * as joseErrors from 'jose/errors'
import { jwtVerify } from 'jose/jwt/verify'
import type { ProviderKeys } from './provider-keys.ts'

/** The claims that a token must have. */
export interface ExpectedClaims {
  /** The tenant's client ids; `aud` must be one of them. */
  readonly clientIds: readonly string[]
  /** The raw nonce in the request; undefined without one. */
  readonly nonce: string | undefined
  /** Whether the token may contain the raw nonce (`auth.<provider>.plainNonce`); false by default. */
  readonly plainNonce?: boolean | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/** Claims of a valid token; `sub` has 1 to 255 ASCII characters (OpenID Connect Core 2). */
export interface IdTokenClaims extends JWTPayload {
  readonly sub: string
}

/** A token that passed every check. */
export interface VerifiedIdToken {
  readonly claims: IdTokenClaims
  /** SHA-256 of the token in lower-case hex. Only the canonical encoding is accepted, so a token has one hash. */
  readonly hash: string
  /** When the token becomes too old, including clock skew; epoch milliseconds. */
  readonly expiresAt: number
}

const maxLength = 8192
/** Unpadded base64url (RFC 7515 2). */
const compactForm = /^[\w-]+\.[\w-]+\.([\w-]+)$/
const subjectForm = /^[\x20-\x7e]{1,255}$/
/** The tolerated difference between the provider's clock and ours. */
const clockSkewSeconds = 60
/** The lifetime of Apple's tokens for the web, which is the longest. */
const maxAgeSeconds = 86_400

/**
 * Verifies an ID token (OpenID Connect Core 3.1.3.7); null for an invalid one. Only RS256 is accepted, which all three
 * providers use.
 * @throws IdentityProviderUnavailable when the keys cannot be fetched
 */
export async function verifyIdToken(
  token: string,
  issuers: readonly string[],
  keys: ProviderKeys,
  { clientIds, nonce, plainNonce = false, now }: ExpectedClaims,
): Promise<VerifiedIdToken | null> {
  if (token.length > maxLength || !isCanonical(token)) return null
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => findKey(kid, keys, now), {
      algorithms: ['RS256'],
      issuer: [...issuers],
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
      currentDate: new Date(now),
      clockTolerance: clockSkewSeconds,
      maxTokenAge: maxAgeSeconds,
    })
    const { sub } = payload
    if (typeof sub !== 'string' || !subjectForm.test(sub)) return null
    if (!isIdToken(protectedHeader.typ) || !isForOneOf(clientIds, payload)) return null
    if (!fits(payload['nonce'], nonce, plainNonce)) return null
    return { claims: { ...payload, sub }, hash: hash('sha256', token, 'hex'), expiresAt: endOf(payload) }
  } catch (error) {
    if (error instanceof joseErrors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** Claims are compared in whole seconds; `exp` and `iat` were checked to be present. */
function endOf({ exp, iat }: JWTPayload): number {
  const oldest = Math.floor(iat! + maxAgeSeconds) + 1
  return (Math.ceil(Math.min(exp!, oldest)) + clockSkewSeconds) * 1000
}

/** Whether the signature is in canonical base64url; the parts before it are signed in their encoded form. */
function isCanonical(token: string): boolean {
  const signature = compactForm.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/** All three providers name the key in the header, so a token without `kid` is rejected. */
function findKey(kid: unknown, keys: ProviderKeys, now: number): Promise<CryptoKey> {
  if (typeof kid !== 'string') throw new joseErrors.JWKSNoMatchingKey()
  return keys.find(kid, now)
}

/** Apple omits `typ`; logout, event and access tokens of the same issuer have a different one. */
const isIdToken = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && typ.toUpperCase() === 'JWT')

/** With several audiences, `azp` must be one of the client ids. */
function isForOneOf(clientIds: readonly string[], { aud, azp }: JWTPayload): boolean {
  const isOurs = (id: unknown) => typeof id === 'string' && clientIds.includes(id)
  if (!Array.isArray(aud)) return isOurs(aud)
  return aud.some(isOurs) && (aud.length === 1 || isOurs(azp))
}

/**
 * Both the token and the request have a nonce, or neither has. The token contains its SHA-256 (lower-case hex or
 * base64url), so a stolen token does not reveal the nonce required in the request. A raw nonce in the token would.
 */
function fits(claim: unknown, nonce: string | undefined, plainNonce: boolean): boolean {
  if (claim === undefined || nonce === undefined) return claim === nonce
  if (claim === nonce) return plainNonce
  return claim === hash('sha256', nonce, 'hex') || claim === hash('sha256', nonce, 'base64url')
}
