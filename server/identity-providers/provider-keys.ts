import type { FastifyBaseLogger } from 'fastify'
import { createRemoteJWKSet, customFetch, type JWSHeaderParameters, errors as joseErrors } from 'jose'
import { z } from 'zod'
import type { SocialProvider } from '../../contract/tenant-configuration.ts'
import { ServiceError } from '../core/service-error.ts'

/** The public keys that a provider signs with. */
export interface ProviderKeys {
  /**
   * The key that a token names in its header.
   * @param now epoch milliseconds
   * @throws JWKSNoMatchingKey when the provider has no such key
   * @throws IdentityProviderUnavailable when its keys cannot be had in time
   */
  find(header: JWSHeaderParameters, now: number): Promise<CryptoKey>
}

/** What fetching keys works with. */
export interface ProviderKeysOptions {
  readonly provider: SocialProvider
  /** Where its JSON Web Key Set is (RFC 7517 5). */
  readonly jwksUrl: string
  readonly logger: FastifyBaseLogger
  /** Milliseconds between two fetches, whatever asks for them; 10 s. */
  readonly cooldownMs?: number
  /** Milliseconds a fetch may take to its last byte; 3 s. */
  readonly timeoutMs?: number
}

/** The provider's keys are out of reach: nothing can be said of its tokens for now. */
export class IdentityProviderUnavailable extends ServiceError {
  constructor(retryAfterSeconds: number) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds })
  }
}

/** Keys younger than this are taken as they are. */
const freshMs = 10 * 60_000
/** A provider that cannot be reached is believed for so long by the keys it published last. */
const staleMs = 24 * 3_600_000
/** The real sets have 1 to 10 kB. */
const maxBytes = 256 * 1024

const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) })

/**
 * Fetched when first needed, when older than ten minutes, and for a key that is not among them; never more often than the
 * cooldown allows, so that a flood of invented key ids is no flood of fetches. What fails is logged once a fetch, and the
 * keys at hand go on working.
 */
export function createProviderKeys(options: ProviderKeysOptions): ProviderKeys {
  const { provider, jwksUrl, logger, cooldownMs = 10_000, timeoutMs = 3_000 } = options
  // When to fetch is decided below, by our clock and after failures too; jose fetches and finds.
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

  /** Fetches unless that was tried a moment ago, or joins the fetch under way. Never rejects. */
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
      logger.warn({ provider, jwksUrl, err: error }, 'the keys of an identity provider cannot be had')
    }
  }

  const unavailable = (now: number) =>
    new IdentityProviderUnavailable(Math.max(1, Math.ceil((cooldownMs - elapsed(triedAt, now)) / 1000)))

  /** null when it is not among those at hand; a set whose keys are unusable is as good as none. */
  const lookUp = (header: JWSHeaderParameters, now: number) =>
    keys(header).catch((error: unknown) => {
      if (error instanceof joseErrors.JWKSNoMatchingKey) return null
      throw unavailable(now)
    })

  return {
    async find(header, now) {
      if (elapsed(fetchedAt, now) >= freshMs) await refresh(now)
      if (elapsed(fetchedAt, now) >= staleMs) throw unavailable(now)
      const atHand = await lookUp(header, now)
      if (atHand !== null) return atHand
      await refresh(now)
      if (hasFailed) throw unavailable(now)
      const fetched = await lookUp(header, now)
      if (fetched === null) throw new joseErrors.JWKSNoMatchingKey()
      return fetched
    },
  }
}

/** Whichever way the clock was set in between. */
const elapsed = (since: number, now: number): number => Math.abs(now - since)

/** A key set that is none, or endless, must not take the place of one that works. */
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
