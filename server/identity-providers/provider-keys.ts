import type { FastifyBaseLogger } from 'fastify'
import type { JWSHeaderParameters } from 'jose'
import * as joseErrors from 'jose/errors'
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote'
import { z } from 'zod'
import type { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import { ServiceError } from '../core/service-error.ts'

/** The public keys of a provider. */
export interface ProviderKeys {
  /**
   * The key named in a token's header.
   * @param now epoch milliseconds
   * @throws JWKSNoMatchingKey when the provider has no such key
   * @throws IdentityProviderUnavailable when the keys cannot be fetched in time
   */
  find(header: JWSHeaderParameters, now: number): Promise<CryptoKey>
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

const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) })

/**
 * Fetches the keys when first needed, after ten minutes, and for an unknown key id, but not more often than the cooldown
 * allows, so that requests with invented key ids cause few fetches. A failed fetch is logged, and the cached keys remain
 * in use.
 */
export function createProviderKeys(options: ProviderKeysOptions): ProviderKeys {
  const { provider, jwksUrl, logger, cooldownMs = 10_000, timeoutMs = 3_000 } = options
  // jose only fetches and finds keys. When to fetch is decided below, by our clock and also after failures.
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: timeoutMs,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
    [customFetch]: fetchKeySet,
  })
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
      await keys.reload()
      fetchedAt = now
      hasFailed = false
    } catch (error) {
      hasFailed = true
      logger.warn({ provider, jwksUrl, err: error }, 'failed to fetch identity provider keys')
    }
  }

  const unavailable = (now: number) =>
    new IdentityProviderUnavailable(Math.max(1, Math.ceil((cooldownMs - elapsed(triedAt, now)) / 1000)))

  /** null for a key that is not cached; a set of unusable keys counts as unavailable. */
  const lookUp = (header: JWSHeaderParameters, now: number) =>
    keys(header).catch((error: unknown) => {
      if (error instanceof joseErrors.JWKSNoMatchingKey) return null
      throw unavailable(now)
    })

  return {
    async find(header, now) {
      if (elapsed(fetchedAt, now) >= freshMs) await refresh(now)
      if (elapsed(fetchedAt, now) >= staleMs) throw unavailable(now)
      const cached = await lookUp(header, now)
      if (cached !== null) return cached
      await refresh(now)
      if (hasFailed) throw unavailable(now)
      const fetched = await lookUp(header, now)
      if (fetched === null) throw new joseErrors.JWKSNoMatchingKey()
      return fetched
    },
  }
}

/** Absolute, because the clock may have been set back. */
const elapsed = (since: number, now: number): number => Math.abs(now - since)

/** Rejects invalid and oversized responses, so that they do not replace working keys. */
async function fetchKeySet(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options)
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`It answered ${response.status}`)
  }
  const text = await readText(response)
  if (!KeySet.safeParse(JSON.parse(text)).success) throw new Error('It answered without any key')
  return new Response(text)
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`It answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
