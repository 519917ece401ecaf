import { hash } from 'node:crypto'
import { type JWTPayload, errors as joseErrors, jwtVerify } from 'jose'
import type { ProviderKeys } from './provider-keys.ts'

/** What a token must say to be taken. */
export interface ExpectedClaims {
  /** The tenant's registrations at the provider: the token was issued for one of them (`aud`). */
  readonly clientIds: readonly string[]
  /** The raw nonce that the client sent; undefined when it sent none. */
  readonly nonce: string | undefined
  /** Whether the token may also carry the raw nonce (`auth.<provider>.plainNonce`); false when absent. */
  readonly plainNonce?: boolean | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

/** Claims of a genuine token; `sub` is of 1 to 255 ASCII characters (OpenID Connect Core 2). */
export interface IdTokenClaims extends JWTPayload {
  readonly sub: string
}

/** A token that passed every check. */
export interface VerifiedIdToken {
  readonly claims: IdTokenClaims
  /** SHA-256 of the token, lower-case hex. A token has one spelling, so it has one hash. */
  readonly hash: string
  /** Epoch milliseconds; from then on the token is refused for its age, clock skew included. */
  readonly expiresAt: number
}

const maxLength = 8192
/** Unpadded base64url (RFC 7515 2). */
const compactForm = /^[\w-]+\.[\w-]+\.([\w-]+)$/
const subjectForm = /^[\x20-\x7e]{1,255}$/
/** What the provider's clock may differ from ours by. */
const clockSkewSeconds = 60
/** Apple's tokens for the web live a day, no others longer. */
const maxAgeSeconds = 86_400

/**
 * An ID token that one of the issuers signed for us, and that is for now (OpenID Connect Core 3.1.3.7); null for anything else, whatever is wrong with it. RS256 alone: the one algorithm of all three providers.
 * @throws IdentityProviderUnavailable when the keys cannot be had
 */
export async function verifyIdToken(
  token: string,
  issuers: readonly string[],
  keys: ProviderKeys,
  { clientIds, nonce, plainNonce = false, now }: ExpectedClaims,
): Promise<VerifiedIdToken | null> {
  if (token.length > maxLength || !hasOneSpelling(token)) return null
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => findKey(header, keys, now), {
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

/** The claims are checked by whole seconds, and only tokens with both get here. */
function endOf({ exp, iat }: JWTPayload): number {
  const oldest = Math.floor(iat! + maxAgeSeconds) + 1
  return (Math.ceil(Math.min(exp!, oldest)) + clockSkewSeconds) * 1000
}

/** No padding and no stray bits behind the signature: what is before it is signed as it is spelt. */
function hasOneSpelling(token: string): boolean {
  const signature = compactForm.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}

/** All three name their key; a token that does not must not choose among them. */
function findKey(header: { alg: string; kid?: unknown }, keys: ProviderKeys, now: number): Promise<CryptoKey> {
  const { alg, kid } = header
  if (typeof kid !== 'string') throw new joseErrors.JWKSNoMatchingKey()
  return keys.find({ alg, kid }, now)
}

/** Apple leaves it out; logout, event and access tokens of the same issuer have others. */
const isIdToken = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && typ.toUpperCase() === 'JWT')

/** A token for several was issued to the one that `azp` names. */
function isForOneOf(clientIds: readonly string[], { aud, azp }: JWTPayload): boolean {
  const isOurs = (id: unknown) => typeof id === 'string' && clientIds.includes(id)
  if (!Array.isArray(aud)) return isOurs(aud)
  return aud.some(isOurs) && (aud.length === 1 || isOurs(azp))
}

/**
 * Both sides have a nonce or neither has. The token carries its SHA-256 (lower-case hex or base64url), so a stolen token does
 * not reveal the nonce that has to be sent with it. With the raw nonce in the token, whoever has the token has both.
 */
function fits(claim: unknown, nonce: string | undefined, plainNonce: boolean): boolean {
  if (claim === undefined || nonce === undefined) return claim === nonce
  if (claim === nonce) return plainNonce
  return claim === hash('sha256', nonce, 'hex') || claim === hash('sha256', nonce, 'base64url')
}
