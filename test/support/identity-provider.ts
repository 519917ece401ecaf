import { generateKeyPair, type JsonWebKey, type KeyObject, randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { CompactSign } from 'jose'
import type { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import type { Clock } from '../../server/core/clock.ts'
import type { IdentityProviderSettings } from '../../server/identity-providers/identity-providers.ts'
import { closeWithConnections, listenOnLoopback } from './loopback.ts'
import { manualClock } from './manual-clock.ts'

/** A provider's RSA key, and its published public half. */
interface ProviderKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicJwk: JsonWebKey
}

/**
 * Google, Apple or Facebook on the loopback: signs ID tokens, and publishes its keys over HTTP. Give its
 * `settings` to the service: `startTestService({ identityProviders: google.settings })`, or those of several, spread.
 */
export interface IdentityProvider extends AsyncDisposable {
  readonly provider: SocialProvider
  readonly issuer: string
  readonly jwksUrl: string
  /** A tenant's registration: `auth: { methods: ['google'], google: { clientIds: [google.clientId] } }`. */
  readonly clientId: string
  readonly settings: IdentityProviderSettings
  /** The time of its tokens, which are valid for an hour. Starts at the test service's time; set it to that clock to advance both. */
  clock: Clock
  /** The current signing key. */
  readonly key: ProviderKey
  /** How often its keys were requested. */
  readonly jwksRequests: number
  /**
   * An ID token for a new user with a verified address; never the same twice. Google's users are in a Workspace of
   * their address' domain (`hd`). `undefined` removes a claim.
   */
  sign(claims?: Record<string, unknown>, options?: SignOptions): Promise<string>
  /** Signs with a new key from now on; earlier keys stay published unless withdrawn. */
  rotate(options?: { withdraw?: boolean }): Promise<void>
  /** Accepts requests for its keys and never answers them, or never completely. */
  hang(begun?: string): void
  /** Answers them with this status and with its keys. */
  fail(status: number, headers?: Record<string, string>): void
  /** Answers them with 200 and this text. */
  answer(body: string): void
  /** Answers them with its keys again. */
  restore(): void
  close(): Promise<void>
}

/** Deviations from a standard token. */
interface SignOptions {
  readonly header?: Record<string, unknown>
  readonly key?: ProviderKey
}

const generateRsaKey = promisify(generateKeyPair)
/** RSA keys take long to generate. Keys are used again under other ids, and no test has so many at a time. */
const keyPairs: ReturnType<typeof generateRsaKey>[] = []
const keyPairCount = 8
let keysTaken = 0

function takeKeyPair() {
  const place = keysTaken++ % keyPairCount
  keyPairs[place] ??= generateRsaKey('rsa', { modulusLength: 2048 })
  return keyPairs[place]
}

/** A key that is not published until a provider uses it. */
export async function newProviderKey(modulusLength = 2048): Promise<ProviderKey> {
  const { publicKey, privateKey } = await (modulusLength === 2048
    ? takeKeyPair()
    : generateRsaKey('rsa', { modulusLength }))
  const kid = randomUUID()
  return { kid, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
}

/** Starts one on a free port of 127.0.0.1. */
export async function startIdentityProvider(
  provider: SocialProvider,
  { clock = manualClock(Date.UTC(2026, 0, 15, 12)) }: { clock?: Clock } = {},
): Promise<IdentityProvider> {
  let key = await newProviderKey()
  let published = [key]
  let jwksRequests = 0
  const answerKeys = (response: ServerResponse) => void response.end(JSON.stringify({ keys: published.map(toJwk) }))
  let respond = answerKeys
  const server = createServer((_request, response) => {
    jwksRequests++
    respond(response)
  })
  const port = await listenOnLoopback(server)
  const issuer = `http://127.0.0.1:${port}`
  const jwksUrl = `${issuer}/keys`
  const clientId = `${provider}-client-${randomUUID()}`

  const close = () => closeWithConnections(server)

  const self: IdentityProvider = {
    provider,
    issuer,
    jwksUrl,
    clientId,
    settings: { [provider]: { issuers: [issuer], jwksUrl } },
    clock,
    get key() {
      return key
    },
    get jwksRequests() {
      return jwksRequests
    },
    async sign(claims = {}, { header = {}, key: signer = key } = {}) {
      const usual = usualClaims(provider, self.clock.now())
      const said = {
        iss: issuer,
        aud: clientId,
        ...usual,
        ...workspaceOf(provider, { ...usual, ...claims }),
        ...claims,
      }
      return new CompactSign(Buffer.from(JSON.stringify(said)))
        .setProtectedHeader({ alg: 'RS256', kid: signer.kid, typ: 'JWT', ...header })
        .sign(signer.privateKey)
    },
    async rotate({ withdraw = false } = {}) {
      key = await newProviderKey()
      published = withdraw ? [key] : [key, ...published]
    },
    hang(begun) {
      respond = (response) => void (begun !== undefined && response.write(begun))
    },
    fail(status, headers = {}) {
      respond = (response) => answerKeys(response.writeHead(status, headers))
    },
    answer(body) {
      respond = (response) => void response.end(body)
    },
    restore() {
      respond = answerKeys
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return self
}

const toJwk = ({ publicJwk }: ProviderKey): JsonWebKey => publicJwk

/** Claims of the real provider. Facebook has none for a verified address. */
function usualClaims(provider: SocialProvider, now: number): Record<string, unknown> {
  const iat = Math.floor(now / 1000)
  const sub = randomUUID()
  const claims = { sub, email: `${sub}@people.example`, iat, exp: iat + 3600 }
  if (provider === 'facebook') return { ...claims, jti: randomUUID() }
  if (provider === 'apple') {
    return { ...claims, email_verified: true, c_hash: randomUUID(), auth_time: iat, nonce_supported: true }
  }
  return { ...claims, email_verified: true, nbf: iat - 300, jti: randomUUID() }
}

/** Google names the Workspace domain of an account; gmail.com addresses have none. */
function workspaceOf(provider: SocialProvider, { email }: { email?: unknown }): Record<string, unknown> {
  const domain = typeof email === 'string' ? email.trim().toLowerCase().split('@')[1] : undefined
  return provider === 'google' && domain !== undefined && domain !== 'gmail.com' ? { hd: domain } : {}
}
