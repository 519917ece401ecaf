import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters } from 'jose'
import { ulid } from '../ids.ts'
import type { Keyring } from '../secrets/keyring.ts'

/** A key that signs access tokens, its private half sealed under the keyring. Times in epoch milliseconds. */
export interface SigningKey {
  readonly kid: string
  /** JWK of the public half, as JSON. */
  readonly publicJwk: string
  readonly sealedPrivateJwk: string
  readonly createdAt: number
}

/** The deployment's signing keys. */
export interface SigningKeyStore {
  /** Oldest first. */
  list(): Promise<SigningKey[]>
  /** Adds it unless there is one already; of processes starting together one wins. */
  addFirst(key: SigningKey): Promise<void>
}

/** The keys in memory. */
export interface SigningKeys {
  readonly current: { readonly kid: string; readonly privateKey: CryptoKey }
  /** @throws TypeError when no key has this id. */
  publicKey(kid: JWTHeaderParameters['kid']): CryptoKey
  /** JSON Web Key Set (RFC 7517), as JSON. */
  readonly jwks: string
}

const algorithm = 'ES256'
const context = (kid: string): string[] => ['signing-key', kid]

/** Reads the signing keys; makes the first one where there is none. */
export async function loadSigningKeys(store: SigningKeyStore, keyring: Keyring, now: number): Promise<SigningKeys> {
  let stored = await store.list()
  if (stored.length === 0) {
    await store.addFirst(await makeSigningKey(keyring, now))
    stored = await store.list()
  }
  const newest = stored.at(-1)
  if (newest === undefined) throw new Error('The signing key just made is not there')
  const publicKeys = new Map<string, CryptoKey>()
  for (const key of stored) publicKeys.set(key.kid, await importKey(key.publicJwk))
  const privateKey = await importKey(keyring.open(newest.sealedPrivateJwk, context(newest.kid)))
  return {
    current: { kid: newest.kid, privateKey },
    publicKey(kid) {
      const key = kid === undefined ? undefined : publicKeys.get(kid)
      if (key === undefined) throw new TypeError('No signing key has this id')
      return key
    },
    jwks: `{"keys":[${stored.map((key) => key.publicJwk).join(',')}]}`,
  }
}

async function makeSigningKey(keyring: Keyring, now: number): Promise<SigningKey> {
  const kid = ulid(now)
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' }
  return {
    kid,
    publicJwk: JSON.stringify(publicJwk),
    sealedPrivateJwk: keyring.seal(JSON.stringify(await exportJWK(privateKey)), context(kid)),
    createdAt: now,
  }
}

async function importKey(jwk: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(jwk), algorithm)
  if (key instanceof Uint8Array) throw new Error('A signing key is no key pair')
  return key
}
