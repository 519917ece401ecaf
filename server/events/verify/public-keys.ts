import { createPublicKey, type KeyObject } from 'node:crypto'
import { type PublicCheckpointKey, thumbprint } from '../seal.ts'

export type PublicKeys = ReadonlyMap<string, KeyObject>

/**
 * The public keys of a JWK set (RFC 7517) by their ids. An id is computed, so that none can stand for another key.
 * @throws Error if it is not a set of Ed25519 keys
 */
export function publicKeysOf(set: unknown): PublicKeys {
  const { keys } = (set ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys)) throw new Error('must be a JWK set: { "keys": [ … ] }')
  return new Map(
    keys.map((jwk: Partial<PublicCheckpointKey> | null, index) => {
      if (jwk?.kty !== 'OKP' || jwk.crv !== 'Ed25519' || typeof jwk.x !== 'string')
        throw new Error(`keys.${index}: not an Ed25519 public key`)
      const key = { kty: jwk.kty, crv: jwk.crv, x: jwk.x }
      return [thumbprint(key), publicKeyOf(key, index)]
    }),
  )
}

function publicKeyOf(key: PublicCheckpointKey, index: number): KeyObject {
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' })
  } catch {
    throw new Error(`keys.${index}: not an Ed25519 public key`)
  }
}
