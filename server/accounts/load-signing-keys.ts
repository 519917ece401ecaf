import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { JWK } from 'jose'
import { exportJWK } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import { importJWK } from 'jose/key/import'
import { ulid } from '../core/ids.ts'
import { type EventSource, eventOf } from '../events/record.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { openPrivateJwk } from '../secrets/private-jwk.ts'
import {
  currentIndex,
  isRotationDue,
  leadTimes,
  type SigningKey,
  type SigningKeyStore,
  type SigningKeys,
  trustEnd,
  trustMs,
} from './signing-keys.ts'

/** What the signing keys are loaded with. */
interface SigningKeysOptions {
  readonly store: SigningKeyStore
  readonly keyring: Keyring
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** How long a key signs before the next one takes over. */
  readonly periodMs: number
}

interface LoadedKey extends SigningKey {
  readonly publicKey: CryptoKey
  /** null when the key is sealed under a master key that this process does not have. */
  readonly privateKey: KeyObject | null
  /** Infinity for the newest. */
  readonly trustedUntil: number
}

const algorithm = 'ES256'
/** The context that a sealed private key is bound to. */
export const signingKeyContext = (kid: string): string[] => ['signing-key', kid]
const lookUpEveryMs = 1000

/**
 * Loads the signing keys; creates the first one. Rejects when this process can open no key that may sign: processes
 * with the right master keys could not open a key created in its place.
 */
export async function loadSigningKeys(options: SigningKeysOptions, now: number): Promise<SigningKeys> {
  const { store, keyring, logger, periodMs } = options
  let keys: readonly LoadedKey[] = []
  let byKid: ReadonlyMap<string, LoadedKey> = new Map()
  let reading: Promise<void> = Promise.resolve()
  let lookedUpAt = Number.NEGATIVE_INFINITY
  const closed = new Set<string>()

  async function read(): Promise<void> {
    const stored = await store.list()
    keys = await Promise.all(
      stored.map(async (key, index) => ({ ...(await load(key)), trustedUntil: trustEnd(stored, index) })),
    )
    byKid = new Map(keys.map((key) => [key.kid, key]))
  }

  async function load(key: SigningKey): Promise<Omit<LoadedKey, 'trustedUntil'>> {
    const known = byKid.get(key.kid)
    const publicKey = known?.publicKey ?? (await importPublicKey(key.publicJwk))
    return { ...key, publicKey, privateKey: known?.privateKey ?? open(key) }
  }

  const open = ({ kid, sealedPrivateJwk }: SigningKey) =>
    openPrivateJwk(keyring, sealedPrivateJwk, signingKeyContext(kid))

  /** Reloads run one after the other: a caller must not get what was read before its call. */
  function reload(): Promise<void> {
    reading = reading.catch(() => {}).then(read)
    return reading
  }

  /** Adds a key after `newest`, unless another process has added one in the meantime. */
  async function add(
    newest: SigningKey | undefined,
    signsFrom: number,
    now: number,
    by: EventSource = { now, background: null },
  ): Promise<void> {
    const key = { ...(await makeSigningKey(keyring, signsFrom, now)), ordinal: (newest?.ordinal ?? 0) + 1 }
    // The first key replaces none.
    const event = newest === undefined ? null : eventOf(by, { type: 'signing_key.rotated', subject: aKey(key.kid) })
    if (await store.add(key, event)) logger.info({ kid: key.kid, signsFrom: new Date(signsFrom) }, 'signing key added')
    await reload()
  }

  /** The current key and all newer ones. */
  const signers = (now: number): readonly LoadedKey[] => keys.slice(currentIndex(keys, now))

  function warnOfClosedKeys(now: number): void {
    for (const { kid, privateKey } of signers(now)) {
      if (privateKey !== null || closed.has(kid)) continue
      closed.add(kid)
      logger.warn({ kid }, 'cannot open a signing key: its master key is not in TENANTRY_MASTER_KEYS')
    }
  }

  const trusted = (now: number): readonly LoadedKey[] => keys.filter(({ trustedUntil }) => now < trustedUntil)

  const loaded: SigningKeys = {
    current(now) {
      // When the current key cannot be opened, the next one signs: it is published and trusted already.
      for (const { kid, privateKey } of signers(now)) if (privateKey !== null) return { kid, privateKey }
      throw new Error('Cannot open any signing key: add the master key that sealed them to TENANTRY_MASTER_KEYS')
    },

    publicKey(kid, now) {
      const key = byKid.get(kid)
      return key !== undefined && now < key.trustedUntil ? key.publicKey : null
    },

    async findPublicKey(kid, now) {
      const known = loaded.publicKey(kid, now)
      if (known !== null) return known
      const isTime = Math.abs(now - lookedUpAt) >= lookUpEveryMs
      if (isTime) lookedUpAt = now
      await (isTime ? reload() : reading)
      return loaded.publicKey(kid, now)
    },

    jwks: (now) =>
      `{"keys":[${trusted(now)
        .map(({ publicJwk }) => publicJwk)
        .join(',')}]}`,

    list(now) {
      const current = keys[currentIndex(keys, now)]?.ordinal ?? 0
      return trusted(now).map(({ kid, ordinal, createdAt, signsFrom, trustedUntil }) => ({
        kid,
        state: ordinal < current ? 'previous' : ordinal === current ? 'current' : 'next',
        createdAt,
        signsFrom,
        trustedUntil: Number.isFinite(trustedUntil) ? trustedUntil : null,
      }))
    },

    reload,

    async rotate(now, by) {
      await reload()
      const newest = keys.at(-1)
      if (newest === undefined || newest.signsFrom <= now) {
        await add(newest, now + leadTimes.requested, now, by)
      }
    },

    async withdrawAll(now, by = { now, background: null }) {
      const key = await makeSigningKey(keyring, now, now)
      await store.replaceAll(key, eventOf(by, { type: 'signing_key.withdrawn', subject: aKey(key.kid) }))
      logger.warn({ kid: key.kid }, 'all signing keys withdrawn; signing with a new one')
      await reload()
    },

    async maintain(now) {
      await reload()
      const newest = keys.at(-1)
      if (newest === undefined) await add(newest, now, now)
      else if (isRotationDue(newest, periodMs, now)) await add(newest, now + leadTimes.scheduled, now)
      warnOfClosedKeys(now)
      await store.erase(now - trustMs)
    },
  }

  await reload()
  if (keys.length === 0) await add(undefined, now, now)
  loaded.current(now)
  warnOfClosedKeys(now)
  return loaded
}

const aKey = (kid: string) => ({ kind: 'signingKey', id: kid }) as const

async function makeSigningKey(keyring: Keyring, signsFrom: number, now: number): Promise<Omit<SigningKey, 'ordinal'>> {
  const kid = ulid(now)
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' }
  return {
    kid,
    publicJwk: JSON.stringify(publicJwk),
    sealedPrivateJwk: keyring.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyContext(kid)),
    createdAt: now,
    signsFrom,
  }
}

async function importPublicKey(jwk: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(jwk), algorithm)
  if (key instanceof Uint8Array) throw new Error('A signing key is not a key pair')
  return key
}
