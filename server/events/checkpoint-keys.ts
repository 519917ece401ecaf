import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Keyring } from '../secrets/keyring.ts'
import { openPrivateJwk } from '../secrets/private-jwk.ts'
import { type PublicCheckpointKey, thumbprint } from './seal.ts'

/** A key that signs batches; its private half is sealed under the keyring. It is never deleted: verifiers need it. */
export interface CheckpointKey {
  /** The thumbprint of the public half (RFC 7638). */
  readonly kid: string
  /** Increases from key to key: of processes that add one concurrently, one wins. */
  readonly ordinal: number
  /** JWK of the public half, as JSON. */
  readonly publicJwk: string
  readonly sealedPrivateJwk: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The checkpoint keys of the deployment. */
export interface CheckpointKeyStore {
  /** Oldest first. */
  list(): Promise<CheckpointKey[]>
  /** Adds the newest key; false when another process was faster. */
  add(key: CheckpointKey): Promise<boolean>
}

/** What signs batches and purges. */
export interface CheckpointSigner {
  readonly kid: string
  readonly privateKey: KeyObject
}

export interface CheckpointKeys {
  /**
   * The newest key; creates one when there is none yet or it is older than a year. Once a minute it is read again, and added
   * again if the database lost it in a failover: batches may be signed with it.
   * @throws Error when none can be opened: processes with the right master keys could not open a key made in its place
   */
  signer(now: number): Promise<CheckpointSigner>
}

interface CheckpointKeysOptions {
  readonly store: CheckpointKeyStore
  readonly keyring: Keyring
  readonly logger: Pick<FastifyBaseLogger, 'info'>
}

const YEAR = 365 * 86_400_000
const readEveryMs = 60_000
/** The context that a sealed private key is bound to. */
export const checkpointKeyContext = (kid: string): string[] => ['checkpoint-key', kid]

export function createCheckpointKeys({ store, keyring, logger }: CheckpointKeysOptions): CheckpointKeys {
  let current: { readonly signer: CheckpointSigner; readonly stored: CheckpointKey } | null = null
  let readAt = 0

  async function add(key: Omit<CheckpointKey, 'ordinal'>, newest: CheckpointKey | undefined): Promise<CheckpointKey[]> {
    if (await store.add({ ...key, ordinal: (newest?.ordinal ?? 0) + 1 })) {
      logger.info({ kid: key.kid }, 'checkpoint key added')
    }
    return store.list()
  }

  async function load(now: number): Promise<NonNullable<typeof current>> {
    let keys = await store.list()
    const known = current?.stored
    if (known !== undefined && !keys.some(({ kid }) => kid === known.kid)) keys = await add(known, keys.at(-1))
    const newest = keys.at(-1)
    if (newest === undefined || isOld(newest, now)) keys = await add(makeCheckpointKey(keyring, now), newest)
    for (const stored of keys.toReversed()) {
      const { kid, sealedPrivateJwk } = stored
      const privateKey = openPrivateJwk(keyring, sealedPrivateJwk, checkpointKeyContext(kid))
      if (privateKey !== null) return { signer: { kid, privateKey }, stored }
    }
    throw new Error(
      'Cannot open any checkpoint key: add the master key that sealed them to TENANTRY_MASTER_KEYS; for a lost one see docs/guides/rotating-master-keys.md',
    )
  }

  return {
    async signer(now) {
      // Absolute, because the clock may have been set back.
      if (current === null || isOld(current.stored, now) || Math.abs(now - readAt) >= readEveryMs) {
        current = await load(now)
        readAt = now
      }
      return current.signer
    },
  }
}

const isOld = ({ createdAt }: Pick<CheckpointKey, 'createdAt'>, now: number): boolean => now >= createdAt + YEAR

function makeCheckpointKey(keyring: Keyring, now: number): Omit<CheckpointKey, 'ordinal'> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d, x } = privateKey.export({ format: 'jwk' })
  const publicKey: PublicCheckpointKey = { crv: 'Ed25519', kty: 'OKP', x: x! }
  const kid = thumbprint(publicKey)
  return {
    kid,
    publicJwk: JSON.stringify({ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }),
    sealedPrivateJwk: keyring.seal(JSON.stringify({ ...publicKey, d }), checkpointKeyContext(kid)),
    createdAt: now,
  }
}
