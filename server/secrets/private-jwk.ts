import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Keyring, SealBroken } from './keyring.ts'

/** A private key that is stored as a sealed JWK; null when its master key is not in the ring. */
export function openPrivateJwk(keyring: Keyring, sealed: string, context: readonly string[]): KeyObject | null {
  try {
    return createPrivateKey({ key: JSON.parse(keyring.open(sealed, context)), format: 'jwk' })
  } catch (error) {
    if (error instanceof SealBroken) return null
    throw error
  }
}
