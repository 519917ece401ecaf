import type { FastifyBaseLogger } from 'fastify'
import { normaliseDomain, normaliseEmail } from '../../contract/email-address.ts'
import type { SocialProvider } from '../../contract/tenant-configuration.ts'
import type { Clock } from '../core/clock.ts'
import { type ExpectedClaims, type IdTokenClaims, type VerifiedIdToken, verifyIdToken } from './id-token.ts'
import { createProviderKeys } from './provider-keys.ts'

/** Whom a provider's ID token is about. */
export interface SocialIdentity {
  readonly provider: SocialProvider
  /** The user's id at the provider, never given to another; 1 to 255 ASCII characters. */
  readonly subject: string
  /** Normalised; null when the provider gave none, or none that we accept. */
  readonly email: string | null
  /** The provider is authoritative for the address and says that it is the user's (`isAuthoritative`). */
  readonly emailVerified: boolean
  /** The token that said so; it is used once (`useIdToken`). */
  readonly idToken: Pick<VerifiedIdToken, 'hash' | 'expiresAt'>
}

/** Google, Apple and Facebook, as far as we need them. */
export interface IdentityProviders {
  /**
   * null for a token that is not genuine, whatever is wrong with it.
   * @throws IdentityProviderUnavailable (SERVICE_UNAVAILABLE) when the provider's keys cannot be had in time
   */
  verify(provider: SocialProvider, idToken: string, expected: ExpectedClaims): Promise<SocialIdentity | null>
}

/** Who a provider is, on the wire. */
export interface ProviderEndpoint {
  /** Its spellings of `iss`. */
  readonly issuers: readonly string[]
  /** Where its keys are; http or https. */
  readonly jwksUrl: string
}

/** Providers elsewhere than `realProviders`, and how their keys are fetched. */
export interface IdentityProviderSettings extends Partial<Record<SocialProvider, ProviderEndpoint>> {
  /** Milliseconds between two fetches of a provider's keys; 10 s. */
  readonly cooldownMs?: number
  /** Milliseconds a fetch may take; 3 s. */
  readonly timeoutMs?: number
  /** What tokens are judged by: the providers date them by the real time; `expected.now` when absent. */
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

/** Connects to nobody before the first token. One a process: the keys are cached in it. */
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
 * Whether the provider's `email_verified` proves who owns the address now. Google hosts `@gmail.com` and the domains of its
 * Workspace customers (`hd`). An address elsewhere was verified once, when the Google account was made: its owner may have
 * changed since, or the account may have been prepared by an attacker
 * (developers.google.com/identity/gsi/web/guides/verify-google-id-token). Facebook verifies nothing.
 * @param email normalised
 */
function isAuthoritative(provider: SocialProvider, email: string, { hd }: IdTokenClaims): boolean {
  if (provider !== 'google') return provider === 'apple'
  const domain = email.slice(email.indexOf('@') + 1)
  return domain === 'gmail.com' || (typeof hd === 'string' && normaliseDomain(hd) === domain)
}
