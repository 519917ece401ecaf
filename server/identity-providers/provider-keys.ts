import type { FastifyBaseLogger } from 'fastify'
import { JWKSNoMatchingKey } from 'jose/errors'
import { importJWK } from 'jose/key/import'
import { z } from 'zod'
import type { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import { ServiceError } from '../core/service-error.ts'

/** The public keys of a provider. */
export interface ProviderKeys {
  /**
   * The key with this id, for RS256.
   * @param now epoch milliseconds
   * @throws JWKSNoMatchingKey when the provider has no such key
   * @throws IdentityProviderUnavailable when the keys cannot be fetched in time
   */
  find(kid: string, now: number): Promise<CryptoKey>
}

interface ProviderKeysOptions {
  readonly provider: SocialProvider
  /** The URL of its JSON Web Key Set (RFC 7517 5). */
  readonly jwksUrl: string
  readonly logger: FastifyBaseLogger
  /** The shortest time between two fetches in milliseconds; 10 s by default. */
  readonly cooldownMs?: number
  /** The timeout of a fetch, including the body, in milliseconds; 3 s by default. */
  readonly timeoutMs?: number
}

/** The provider's keys cannot be fetched, so its tokens cannot be verified. */
export class IdentityProviderUnavailable extends ServiceError {
  constructor(retryAfterSeconds: number) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds })
  }
}

/** Keys are fetched again after this time. */
const freshMs = 10 * 60_000
/** How long cached keys are used while the provider is unreachable. */
const staleMs = 24 * 3_600_000
/** The providers' key sets have 1 to 10 kB. */
const maxBytes = 256 * 1024

const algorithm = 'RS256'
/** RFC 7518 3.3. */
const fewestBits = 2048
const KeySet = z.looseObject({ keys: z.array(z.unknown()) })

/** A public key that may verify ID tokens. */
const VerificationKey = z.looseObject({
  kty: z.literal('RSA'),
  kid: z.string(),
  n: z.string(),
  e: z.string(),
  use: z.literal('sig').optional(),
  alg: z.literal(algorithm).optional(),
  key_ops: z.tuple([z.literal('verify')]).optional(),
  /** A private key that was published: anyone can sign with it. */
  d: z.never().optional(),
})

/**
 * Fetches the keys when first needed, after ten minutes, and for an unknown key id, but not more often than the cooldown
 * allows, so that requests with invented key ids cause few fetches. A failed fetch is logged, and the cached keys remain
 * in use.
 */
export function createProviderKeys(options: ProviderKeysOptions): ProviderKeys {
  const { provider, jwksUrl, logger, cooldownMs = 10_000, timeoutMs = 3_000 } = options
  let keys: ReadonlyMap<string, CryptoKey> = new Map()
  let fetchedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let hasFailed = false
  let pending: Promise<void> | null = null

  /** Fetches the keys, waits for a running fetch, or does nothing within the cooldown. Never rejects. */
  async function refresh(now: number): Promise<void> {
    if (pending === null && elapsed(triedAt, now) >= cooldownMs) {
      triedAt = now
      pending = fetchKeys(now).finally(() => {
        pending = null
      })
    }
    await pending
  }

  async function fetchKeys(now: number): Promise<void> {
    try {
      keys = await fetchKeySet(jwksUrl, timeoutMs)
      fetchedAt = now
      hasFailed = false
    } catch (error) {
      hasFailed = true
      logger.warn({ provider, jwksUrl, err: error }, 'failed to fetch identity provider keys')
    }
  }

  const unavailable = (now: number) =>
    new IdentityProviderUnavailable(Math.max(1, Math.ceil((cooldownMs - elapsed(triedAt, now)) / 1000)))

  return {
    async find(kid, now) {
      const age = elapsed(fetchedAt, now)
      if (age >= freshMs) {
        // With a cached key, no request waits for a provider that has just failed.
        const isUnreachable = hasFailed && age < staleMs && keys.has(kid)
        const refreshed = refresh(now)
        if (!isUnreachable) await refreshed
      }
      if (elapsed(fetchedAt, now) >= staleMs) throw unavailable(now)
      const cached = keys.get(kid)
      if (cached !== undefined) return cached
      await refresh(now)
      if (hasFailed) throw unavailable(now)
      const fetched = keys.get(kid)
      if (fetched === undefined) throw new JWKSNoMatchingKey()
      return fetched
    },
  }
}

/** Absolute, because the clock may have been set back. */
const elapsed = (since: number, now: number): number => Math.abs(now - since)

/** The usable keys by id. Rejects invalid and oversized responses, so that they do not replace working keys. */
async function fetchKeySet(url: string, timeoutMs: number): Promise<ReadonlyMap<string, CryptoKey>> {
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`It answered ${response.status}`)
  }
  const { data } = KeySet.safeParse(JSON.parse(await readText(response)))
  const usable = new Map((await Promise.all((data?.keys ?? []).map(usableKey))).flat())
  if (usable.size === 0) throw new Error('It answered without any usable key')
  return usable
}

/** A key with its id. Nothing for an invalid key and for one of another kind: the other keys are still used (RFC 7517 5). */
async function usableKey(jwk: unknown): Promise<[string, CryptoKey][]> {
  const { data } = VerificationKey.safeParse(jwk)
  const key = data && (await importJWK(data, algorithm).catch(() => null))
  return key instanceof CryptoKey && bitsOf(key) >= fewestBits ? [[data!.kid, key]] : []
}

const bitsOf = ({ algorithm }: CryptoKey): number => (algorithm as RsaKeyAlgorithm).modulusLength

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`It answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  // Drops a byte order mark, which a server that hands out a saved file may send (RFC 8259 8.1).
  return new TextDecoder().decode(Buffer.concat(chunks))
}
