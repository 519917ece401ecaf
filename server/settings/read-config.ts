import { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import { readDeploymentProviders } from '../delivery/providers/provider-kinds.ts'
import { defaultEventShare } from '../events/relay.ts'
import { type IdentityProviderSettings, realProviders } from '../identity-providers/identity-providers.ts'
import { createClientAddress } from '../limits/client-address.ts'
import { parseLimits } from '../limits/limit-settings.ts'
import { parseValkeyUrl, type ValkeyAddress } from '../limits/valkey-url.ts'
import { defaultHashMemoryMiB, leastHashMemoryMiB } from '../passwords/hash-memory.ts'
import { defaultArchiveDays } from '../profiles/migrations/archived-fields.ts'
import { defaultProfileBytes } from '../profiles/profile-content.ts'
import { anchorUrl } from './anchor-url.ts'
import type { Config } from './config.ts'
import { readDatabaseSettings } from './database-settings.ts'
import { judgeConfig } from './judge-config.ts'
import { ConfigError, type Environ, SettingsReader } from './settings-reader.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
/** Settings of the tenantry command and the demo. */
const foreign = ['TENANTRY_URL', 'TENANTRY_TENANT', 'TENANTRY_OPERATOR_KEY', 'TENANTRY_SECRETS']

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
  judgeConfig(config, settings)
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
