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
   * The newest key; creates one when there is none yet or it is older than a year.
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
/** The context that a sealed private key is bound to. */
export const checkpointKeyContext = (kid: string): string[] => ['checkpoint-key', kid]

export function createCheckpointKeys({ store, keyring, logger }: CheckpointKeysOptions): CheckpointKeys {
  let current: (CheckpointSigner & { readonly createdAt: number }) | null = null

  async function load(now: number): Promise<NonNullable<typeof current>> {
    let keys = await store.list()
    const newest = keys.at(-1)
    if (newest === undefined || isOld(newest, now)) {
      const key = makeCheckpointKey(keyring, (newest?.ordinal ?? 0) + 1, now)
      if (await store.add(key)) logger.info({ kid: key.kid }, 'checkpoint key added')
      keys = await store.list()
    }
    for (const { kid, createdAt, sealedPrivateJwk } of keys.toReversed()) {
      const privateKey = openPrivateJwk(keyring, sealedPrivateJwk, checkpointKeyContext(kid))
      if (privateKey !== null) return { kid, privateKey, createdAt }
    }
    throw new Error(
      'Cannot open any checkpoint key: add the master key that sealed them to TENANTRY_MASTER_KEYS; for a lost one see docs/guides/rotating-master-keys.md',
    )
  }

  return {
    async signer(now) {
      if (current === null || isOld(current, now)) current = await load(now)
      return current
    },
  }
}

const isOld = ({ createdAt }: Pick<CheckpointKey, 'createdAt'>, now: number): boolean => now >= createdAt + YEAR

function makeCheckpointKey(keyring: Keyring, ordinal: number, now: number): CheckpointKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d, x } = privateKey.export({ format: 'jwk' })
  const publicKey: PublicCheckpointKey = { crv: 'Ed25519', kty: 'OKP', x: x! }
  const kid = thumbprint(publicKey)
  return {
    kid,
    ordinal,
    publicJwk: JSON.stringify({ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }),
    sealedPrivateJwk: keyring.seal(JSON.stringify({ ...publicKey, d }), checkpointKeyContext(kid)),
    createdAt: now,
  }
}
