import type { FastifyBaseLogger } from 'fastify'
import { normaliseDomain, normaliseEmail } from '../../contract/email-address.ts'
import type { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import type { Clock } from '../core/clock.ts'
import { type ExpectedClaims, type IdTokenClaims, type VerifiedIdToken, verifyIdToken } from './id-token.ts'
import { createProviderKeys } from './provider-keys.ts'

/** The user that an ID token identifies. */
export interface SocialIdentity {
  readonly provider: SocialProvider
  /** The user's id at the provider, never reassigned; 1 to 255 ASCII characters. */
  readonly subject: string
  /** Normalised; null for a missing or invalid address. */
  readonly email: string | null
  /** Whether the provider verified the address and is authoritative for it (`isAuthoritative`). */
  readonly emailVerified: boolean
  /** The verified token, which can be used once (`useIdToken`). */
  readonly idToken: Pick<VerifiedIdToken, 'hash' | 'expiresAt'>
}

/** Google, Apple and Facebook. */
export interface IdentityProviders {
  /**
   * null for an invalid token.
   * @throws IdentityProviderUnavailable (SERVICE_UNAVAILABLE) when the provider's keys cannot be fetched in time
   */
  verify(provider: SocialProvider, idToken: string, expected: ExpectedClaims): Promise<SocialIdentity | null>
}

interface ProviderEndpoint {
  /** The accepted values of `iss`. */
  readonly issuers: readonly string[]
  /** The URL of its keys; http or https. */
  readonly jwksUrl: string
}

/** Endpoints that replace those of `realProviders`, and how keys are fetched. */
export interface IdentityProviderSettings extends Partial<Record<SocialProvider, ProviderEndpoint>> {
  /** The shortest time between two fetches of a provider's keys, in milliseconds; 10 s by default. */
  readonly cooldownMs?: number
  /** The timeout of a fetch in milliseconds; 3 s by default. */
  readonly timeoutMs?: number
  /** The real time, which providers date tokens by; `expected.now` by default. */
  readonly wallClock?: Clock
}

/**
 * Sources: developers.google.com/identity/gsi/web/guides/verify-google-id-token,
 * developer.apple.com/documentation/signinwithapple/verifying-a-user,
 * developers.facebook.com/docs/facebook-login/limited-login/token (its tokens name `www`).
 */
export const realProviders: Readonly<Record<SocialProvider, ProviderEndpoint>> = {
  google: {
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
  },
  apple: { issuers: ['https://appleid.apple.com'], jwksUrl: 'https://appleid.apple.com/auth/keys' },
  facebook: {
    issuers: ['https://www.facebook.com'],
    jwksUrl: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
  },
}

/** Caches the providers' keys, so a process needs one instance. Keys are fetched with the first token. */
export function createIdentityProviders(
  settings: IdentityProviderSettings & { readonly logger: FastifyBaseLogger },
): IdentityProviders {
  const { logger, cooldownMs, timeoutMs, wallClock } = settings
  const connect = (provider: SocialProvider) => {
    const { issuers, jwksUrl } = settings[provider] ?? realProviders[provider]
    return { issuers, keys: createProviderKeys({ provider, jwksUrl, logger, cooldownMs, timeoutMs }) }
  }
  const providers = { google: connect('google'), apple: connect('apple'), facebook: connect('facebook') }
  return {
    async verify(provider, idToken, expected) {
      const { issuers, keys } = providers[provider]
      const verified = await verifyIdToken(idToken, issuers, keys, {
        ...expected,
        now: wallClock?.now() ?? expected.now,
      })
      return verified && identityOf(provider, verified)
    },
  }
}

function identityOf(provider: SocialProvider, { claims, hash, expiresAt }: VerifiedIdToken): SocialIdentity {
  const { sub: subject, email: given, email_verified: verified } = claims
  const email = typeof given === 'string' ? normaliseEmail(given) : null
  // Apple sometimes sends the boolean as a string.
  const isVerified = verified === true || verified === 'true'
  const emailVerified = email !== null && isVerified && isAuthoritative(provider, email, claims)
  return { provider, subject, email, emailVerified, idToken: { hash, expiresAt } }
}

/**
 * Whether the provider's `email_verified` proves that the user owns the address now. Google hosts `@gmail.com` and the
 * domains of its Workspace customers (`hd`). Any other address was verified once, when the Google account was created: its
 * owner may have changed, or an attacker may have prepared the account
 * (developers.google.com/identity/gsi/web/guides/verify-google-id-token). Facebook verifies no addresses.
 * @param email normalised
 */
function isAuthoritative(provider: SocialProvider, email: string, { hd }: IdTokenClaims): boolean {
  if (provider !== 'google') return provider === 'apple'
  const domain = email.slice(email.indexOf('@') + 1)
  return domain === 'gmail.com' || (typeof hd === 'string' && normaliseDomain(hd) === domain)
}
