import { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import type { ProviderFactory } from '../delivery/providers/provider-kind.ts'
import { readDeploymentProviders } from '../delivery/providers/provider-kinds.ts'
import { defaultEventShare } from '../events/relay.ts'
import { bearerToken } from '../http/credentials.ts'
import type { RequestLogMode } from '../http/request-log.ts'
import { type IdentityProviderSettings, realProviders } from '../identity-providers/identity-providers.ts'
import { type ClientAddress, createClientAddress } from '../limits/client-address.ts'
import { type LimitSettings, parseLimits } from '../limits/limit-settings.ts'
import { parseValkeyUrl, type ValkeyAddress } from '../limits/valkey-url.ts'
import { defaultHashMemoryMiB, leastHashMemoryMiB } from '../passwords/hash-memory.ts'
import { defaultArchiveDays } from '../profiles/migrations/archived-fields.ts'
import { defaultProfileBytes } from '../profiles/profile-content.ts'
import { createKeyring } from '../secrets/keyring.ts'
import { anchorUrl } from './anchor-url.ts'
import { type DatabaseSettings, judgeDatabase, readDatabaseSettings } from './database-settings.ts'
import { rootKeyOff } from './kept-secrets.ts'
import { isLoopback } from './loopback.ts'
import { ConfigError, type Environ, SettingsReader } from './settings-reader.ts'

/** Where the service runs. Outside `production`, messages go to the testing channel. */
export type Environment = 'development' | 'staging' | 'production'

/** All settings, parsed. */
export interface Config {
  readonly environment: Environment
  readonly host: string
  readonly port: number
  /** The port that serves metrics without a key; null: none. */
  readonly metricsPort: number | null
  /** The listener that serves `/admin` instead of `port`; null: `port` serves it. */
  readonly admin: { readonly host: string; readonly port: number } | null
  readonly database: DatabaseSettings
  /** Where processes share their limits; null: in PostgreSQL, or not at all. */
  readonly valkey: ValkeyAddress | null
  /** null: generated and stored beside the database. */
  readonly masterKeys: string | null
  /** `off`: operators only. */
  readonly adminKey: string | null
  /** Issuer of access tokens. Required in production; otherwise defaults to 127.0.0.1 and the port. */
  readonly publicUrl: string
  readonly clientAddress: ClientAddress
  readonly limits: LimitSettings
  readonly deploymentProviders: readonly ProviderFactory[]
  readonly identityProviders: IdentityProviderSettings
  /** A webhook for messages of the testing channel; outside production only. */
  readonly testingChannelUrl: string | null
  readonly logLevel: string
  /** Which requests are logged, independent of the log level. */
  readonly requestLog: RequestLogMode
  /** Days until expired data is purged. */
  readonly retentionDays: number
  /** Maximum UTF-8 bytes of one stored profile. */
  readonly profileBytes: number
  readonly archiveDays: number
  /** MiB of memory that concurrent password hashes may use in total. */
  readonly hashMemoryMiB: number
  /** Days a key signs access tokens before the next one takes over. */
  readonly signingKeyDays: number
  /** The percentage of its time that a busy process spends on sealing events. */
  readonly eventShare: number
  /** Where heads of event logs are anchored; null: nowhere. */
  readonly eventsAnchor: string | null
  /** Seconds from the stop signal until the listeners close; meanwhile `/readyz` is 503 and requests are answered. */
  readonly drainSeconds: number
  /** Warnings about the settings, logged at startup. */
  readonly warnings: readonly string[]
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
/** Settings of the tenantry command and the demo. */
const foreign = ['TENANTRY_URL', 'TENANTRY_TENANT', 'TENANTRY_OPERATOR_KEY', 'TENANTRY_SECRETS']
const shortestAdminKey = 32

/**
 * Parses the environment; nothing else reads it. An empty value counts as unset. Secrets can be in a file named by
 * `<NAME>_FILE`.
 * @throws ConfigError with every invalid setting
 */
export function readConfig(env: Environ): Config {
  const settings = new SettingsReader(env, foreign)
  const environment = settings.oneOf('TENANTRY_ENVIRONMENT', ['development', 'staging', 'production'], 'development')
  const isDevelopment = environment === 'development'
  const port = settings.whole('PORT', 0, 65_535, 4000)
  const host = settings.text('HOST') ?? (isDevelopment ? '127.0.0.1' : '0.0.0.0')
  const config: Config = {
    environment,
    host,
    port,
    metricsPort: settings.text('METRICS_PORT') === undefined ? null : settings.whole('METRICS_PORT', 1, 65_535, 1),
    admin: readAdminListener(settings, host),
    database: readDatabaseSettings(settings),
    valkey: readValkey(settings),
    masterKeys: settings.secret('TENANTRY_MASTER_KEYS') ?? null,
    adminKey: settings.secret('TENANTRY_ADMIN_KEY') ?? null,
    publicUrl: settings.parsed('TENANTRY_PUBLIC_URL', (url) => issuerUrl(url) ?? `http://127.0.0.1:${port}`, ''),
    clientAddress: settings.parsed(
      'TENANTRY_TRUSTED_PROXIES',
      (proxies) => createClientAddress(proxies ?? ''),
      createClientAddress(''),
    ),
    limits: settings.parsed('TENANTRY_LIMITS', parseLimits, parseLimits(undefined)),
    deploymentProviders: readDeploymentProviders(settings),
    identityProviders: readIdentityProviders(settings),
    testingChannelUrl: readTestingChannelUrl(settings),
    logLevel: settings.oneOf('LOG_LEVEL', logLevels, isDevelopment ? 'warn' : 'info'),
    drainSeconds: settings.whole('TENANTRY_DRAIN_SECONDS', 0, 300, isDevelopment ? 0 : 5),
    requestLog: settings.oneOf('TENANTRY_REQUEST_LOG', ['on', 'off', 'errors'], isDevelopment ? 'errors' : 'on'),
    retentionDays: settings.whole('TENANTRY_RETENTION_DAYS', 1, 3650, 7),
    profileBytes: settings.whole('TENANTRY_PROFILE_BYTES', 1024, 16_777_216, defaultProfileBytes),
    archiveDays: settings.whole('TENANTRY_ARCHIVE_DAYS', 0, 3650, defaultArchiveDays),
    hashMemoryMiB: settings.whole('TENANTRY_HASH_MEMORY', leastHashMemoryMiB, 1_048_576, defaultHashMemoryMiB()),
    signingKeyDays: settings.whole('TENANTRY_SIGNING_KEY_DAYS', 1, 3650, 90),
    eventsAnchor: readAnchor(settings, isDevelopment),
    eventShare: settings.whole('TENANTRY_EVENT_SHARE', 1, 50, defaultEventShare),
    warnings: settings.warnings,
  }
  judge(config, settings)
  judgePublicUrl(config, settings)
  settings.refuseUnknown('TENANTRY_')
  if (settings.problems.length > 0) throw new ConfigError(settings.problems)
  return config
}

function readAdminListener(settings: SettingsReader, otherwise: string): Config['admin'] {
  const host = settings.text('ADMIN_HOST')
  if (settings.text('ADMIN_PORT') !== undefined) {
    return { host: host ?? otherwise, port: settings.whole('ADMIN_PORT', 1, 65_535, 1) }
  }
  // Ignoring it would leave /admin on PORT, contrary to what the operator expects.
  if (host !== undefined) settings.problems.push('ADMIN_HOST: has no effect without ADMIN_PORT; set both or neither')
  return null
}

function readValkey(settings: SettingsReader): ValkeyAddress | null {
  const url = settings.secret('VALKEY_URL')
  return settings.attempt('VALKEY_URL', () => (url === undefined ? null : parseValkeyUrl(url)), null)
}

/** A secret: the URL is all that is needed to post there. */
function readTestingChannelUrl(settings: SettingsReader): string | null {
  const url = settings.secret('TENANTRY_TESTING_CHANNEL_URL')
  return settings.attempt('TENANTRY_TESTING_CHANNEL_URL', () => httpUrl(url) ?? null, null)
}

/** A secret: the URL may be all that is needed to post there. */
function readAnchor(settings: SettingsReader, isDevelopment: boolean): string | null {
  const url = settings.secret('TENANTRY_EVENTS_ANCHOR')
  return settings.attempt('TENANTRY_EVENTS_ANCHOR', () => anchorUrl(url, isDevelopment), null)
}

/** The real providers by default. Issuer and keys can only be overridden together, because they belong together. */
function readIdentityProviders(settings: SettingsReader): IdentityProviderSettings {
  const endpoints = SocialProvider.options.map((provider) => {
    const name = `TENANTRY_${provider.toUpperCase()}`
    const issuer = settings.text(`${name}_ISSUER`)
    const given = settings.text(`${name}_JWKS_URL`)
    if (issuer !== undefined && given === undefined) settings.problems.push(`${name}_JWKS_URL: ${incomplete(name)}`)
    if (issuer === undefined && given !== undefined) settings.problems.push(`${name}_ISSUER: ${incomplete(name)}`)
    const jwksUrl = settings.attempt(`${name}_JWKS_URL`, () => httpUrl(given) && given, undefined)
    return [provider, issuer && jwksUrl ? { issuers: [issuer], jwksUrl } : realProviders[provider]] as const
  })
  return Object.fromEntries(endpoints)
}

const incomplete = (name: string) => `set both ${name}_ISSUER and ${name}_JWKS_URL, or neither`

/** Checks settings against each other and against the environment. */
function judge(config: Config, settings: SettingsReader): void {
  const { environment, masterKeys, testingChannelUrl } = config
  const adminKey = config.adminKey === rootKeyOff ? undefined : config.adminKey
  const { problems } = settings
  judgeDatabase(config.database, settings)
  if (config.metricsPort === config.port) problems.push('METRICS_PORT: must differ from PORT')
  if (config.admin?.port === config.port) problems.push('ADMIN_PORT: must differ from PORT')
  if (config.admin !== null && config.admin.port === config.metricsPort) {
    problems.push('ADMIN_PORT: must differ from METRICS_PORT')
  }
  if (masterKeys !== null) settings.attempt('TENANTRY_MASTER_KEYS', () => void createKeyring(masterKeys), undefined)
  if (adminKey != null && adminKey.length < shortestAdminKey) {
    problems.push(`TENANTRY_ADMIN_KEY: too short; must have at least ${shortestAdminKey} characters`)
  }
  if (adminKey != null && bearerToken(`Bearer ${adminKey}`) !== adminKey) {
    problems.push(
      'TENANTRY_ADMIN_KEY: invalid characters; only letters, digits and - . _ ~ + / can be sent as a bearer token',
    )
  }
  if (adminKey === null && environment !== 'development') {
    problems.push(
      'TENANTRY_ADMIN_KEY: required; set it to a secret of at least 32 characters (generated in development only), or to off once operators exist',
    )
  }
  if (environment !== 'production') return
  if (masterKeys === null) {
    problems.push('TENANTRY_MASTER_KEYS: required in production; set it to kid:base64 of 32 random bytes')
  }
  if (testingChannelUrl !== null) {
    problems.push('TENANTRY_TESTING_CHANNEL_URL: not available in production; unset it')
  }
  for (const provider of SocialProvider.options) {
    const { jwksUrl } = config.identityProviders[provider] ?? realProviders[provider]
    if (jwksUrl === realProviders[provider].jwksUrl) continue
    const name = `TENANTRY_${provider.toUpperCase()}_JWKS_URL`
    const risk = 'anyone who controls the keys at this URL can sign in as any user'
    const { protocol, hostname } = new URL(jwksUrl)
    if (protocol === 'https:' || isLoopback(hostname)) settings.warnings.push(`${name}: not the provider's; ${risk}`)
    else problems.push(`${name}: must begin with https:// in production, unless it is on this machine; ${risk}`)
  }
}

/** The default contains the port of the process, and processes reject tokens of a different issuer. */
function judgePublicUrl({ environment, database, publicUrl }: Config, settings: SettingsReader): void {
  if (settings.text('TENANTRY_PUBLIC_URL') !== undefined) return
  const advice = 'set it to the public URL of the service, such as https://accounts.example.com'
  if (environment === 'production') {
    settings.problems.push(`TENANTRY_PUBLIC_URL: required in production, as the issuer of access tokens; ${advice}`)
  } else if (database.engine === 'postgres') {
    settings.warnings.push(
      `TENANTRY_PUBLIC_URL: not set; access tokens are issued by ${publicUrl}, and processes on other ports reject them. To avoid this, ${advice}`,
    )
  }
}

function httpUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  // The URL parser ignores surrounding blanks, but comparisons with the value would not.
  if (!URL.canParse(url) || /\s/.test(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error('must be a URL such as https://accounts.example.com')
  }
  return url.replace(/\/+$/, '')
}

/** An issuer has no query and no fragment (RFC 8414 2), because paths are appended, and no credentials: it is public. */
function issuerUrl(given: string | undefined): string | undefined {
  const url = httpUrl(given)
  if (url === undefined) return undefined
  const { username, password } = new URL(url)
  if (/[?#]/.test(url) || username !== '' || password !== '') {
    throw new Error('must be a URL such as https://accounts.example.com, without user, password, query and fragment')
  }
  return url
}
