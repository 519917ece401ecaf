import type { KeyObject } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { JWK } from 'jose'
import { exportJWK } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import { importJWK } from 'jose/key/import'
import { ulid } from '../../core/ids.ts'
import { type EventSource, eventOf } from '../../events/record.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { openPrivateJwk } from '../../secrets/private-jwk.ts'
import type { SigningKey, SigningKeyStore } from './signing-key-store.ts'
import {
  currentIndex,
  isOutOfReach,
  isRotationDue,
  leadTimes,
  type SigningKeys,
  type TrustedKey,
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
  const keys = new LoadedSigningKeys(options)
  await keys.open(now)
  return keys
}

class LoadedSigningKeys implements SigningKeys {
  readonly #options: SigningKeysOptions
  #keys: readonly LoadedKey[] = []
  #byKid: ReadonlyMap<string, LoadedKey> = new Map()
  #reading: Promise<void> = Promise.resolve()
  #lookedUpAt = Number.NEGATIVE_INFINITY
  /** The ids of keys that could not be opened, each of which is logged once. */
  readonly #closed = new Set<string>()

  constructor(options: SigningKeysOptions) {
    this.#options = options
  }

  async open(now: number): Promise<void> {
    await this.reload()
    if (this.#keys.length === 0) await this.#add(undefined, now, now)
    this.current(now)
    this.#warnOfClosedKeys(now)
  }

  current(now: number): { readonly kid: string; readonly privateKey: KeyObject } {
    // When the current key cannot be opened, the next one signs: it is published and trusted already.
    const signers = this.#signers(now)
    for (const { kid, privateKey } of signers) if (privateKey !== null) return { kid, privateKey }
    throw new Error(explainClosed(signers, this.#options.keyring))
  }

  publicKey(kid: string, now: number): CryptoKey | null {
    const key = this.#byKid.get(kid)
    return key !== undefined && now < key.trustedUntil ? key.publicKey : null
  }

  async findPublicKey(kid: string, now: number): Promise<CryptoKey | null> {
    const known = this.publicKey(kid, now)
    if (known !== null) return known
    const isTime = Math.abs(now - this.#lookedUpAt) >= lookUpEveryMs
    if (isTime) this.#lookedUpAt = now
    await (isTime ? this.reload() : this.#reading)
    return this.publicKey(kid, now)
  }

  jwks(now: number): string {
    const trusted = this.#trusted(now).map(({ publicJwk }) => publicJwk)
    return `{"keys":[${trusted.join(',')}]}`
  }

  list(now: number): TrustedKey[] {
    const current = this.#keys[currentIndex(this.#keys, now)]?.ordinal ?? 0
    return this.#trusted(now).map(({ kid, ordinal, createdAt, signsFrom, trustedUntil }) => ({
      kid,
      state: ordinal < current ? 'previous' : ordinal === current ? 'current' : 'next',
      createdAt,
      signsFrom,
      trustedUntil: Number.isFinite(trustedUntil) ? trustedUntil : null,
    }))
  }

  /** Reloads run one after the other: a caller must not get what was read before its call. */
  reload(): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read())
    return this.#reading
  }

  async rotate(now: number, by?: EventSource): Promise<void> {
    await this.reload()
    const newest = this.#keys.at(-1)
    const hasNext = newest !== undefined && newest.signsFrom > now && !isOutOfReach(newest, now)
    if (!hasNext) await this.#add(newest, now + leadTimes.requested, now, by)
  }

  async withdrawAll(now: number, by: EventSource = { now, background: null }): Promise<void> {
    const { store, keyring, logger } = this.#options
    const key = await makeSigningKey(keyring, now, now)
    await store.replaceAll(key, eventOf(by, { type: 'signing_key.withdrawn', subject: aKey(key.kid) }))
    logger.warn({ kid: key.kid }, 'all signing keys withdrawn; signing with a new one')
    await this.reload()
  }

  async maintain(now: number): Promise<void> {
    const { store, periodMs } = this.#options
    await this.reload()
    const newest = this.#keys.at(-1)
    if (newest === undefined) await this.#add(newest, now, now)
    else if (isRotationDue(newest, periodMs, now)) await this.#add(newest, now + leadTimes.scheduled, now)
    this.#warnOfClosedKeys(now)
    await store.erase(now - trustMs)
  }

  async #read(): Promise<void> {
    const stored = await this.#options.store.list()
    this.#keys = await Promise.all(
      stored.map(async (key, index) => ({ ...(await this.#load(key)), trustedUntil: trustEnd(stored, index) })),
    )
    this.#byKid = new Map(this.#keys.map((key) => [key.kid, key]))
  }

  async #load(key: SigningKey): Promise<Omit<LoadedKey, 'trustedUntil'>> {
    const known = this.#byKid.get(key.kid)
    const publicKey = known?.publicKey ?? (await importPublicKey(key.publicJwk))
    return { ...key, publicKey, privateKey: known?.privateKey ?? this.#openPrivate(key) }
  }

  #openPrivate({ kid, sealedPrivateJwk }: SigningKey): KeyObject | null {
    return openPrivateJwk(this.#options.keyring, sealedPrivateJwk, signingKeyContext(kid))
  }

  /** Adds a key after `newest`, unless another process has added one in the meantime. */
  async #add(
    newest: SigningKey | undefined,
    signsFrom: number,
    now: number,
    by: EventSource = { now, background: null },
  ): Promise<void> {
    const { store, keyring, logger } = this.#options
    const key = { ...(await makeSigningKey(keyring, signsFrom, now)), ordinal: (newest?.ordinal ?? 0) + 1 }
    // The first key replaces none.
    const event = newest === undefined ? null : eventOf(by, { type: 'signing_key.rotated', subject: aKey(key.kid) })
    if (await store.add(key, event)) logger.info({ kid: key.kid, signsFrom: new Date(signsFrom) }, 'signing key added')
    await this.reload()
  }

  /** The current key and all newer ones. */
  #signers(now: number): readonly LoadedKey[] {
    return this.#keys.slice(currentIndex(this.#keys, now))
  }

  #trusted(now: number): readonly LoadedKey[] {
    return this.#keys.filter(({ trustedUntil }) => now < trustedUntil)
  }

  #warnOfClosedKeys(now: number): void {
    for (const { kid, privateKey } of this.#signers(now)) {
      if (privateKey !== null || this.#closed.has(kid)) continue
      this.#closed.add(kid)
      this.#options.logger.warn({ kid }, 'cannot open a signing key: its master key is not in TENANTRY_MASTER_KEYS')
    }
  }
}

/** Names the master keys by their ids. One that is there but opens nothing has been replaced under the same id. */
function explainClosed(closed: readonly SigningKey[], { keyIds }: Keyring): string {
  const needed = [...new Set(closed.map(({ sealedPrivateJwk }) => sealedPrivateJwk.split('.', 1)[0]!))]
  const missing = needed.filter((id) => !keyIds.includes(id))
  const problem =
    missing.length > 0
      ? `the master key ${missing.join(' or ')} is missing`
      : `the master key ${needed.join(' or ')} has another value than the one that encrypted them`
  return `Cannot open any signing key: ${problem}; set the right one in TENANTRY_MASTER_KEYS, or restore the secrets.json that has it`
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
