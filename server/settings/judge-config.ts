import { SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import { bearerToken } from '../http/credentials.ts'
import { realProviders } from '../identity-providers/identity-providers.ts'
import { createKeyring } from '../secrets/keyring.ts'
import type { Config } from './config.ts'
import { judgeDatabase } from './database-settings.ts'
import { rootKeyOff } from './kept-secrets.ts'
import { isLoopback } from './loopback.ts'
import type { SettingsReader } from './settings-reader.ts'

const shortestAdminKey = 32

/** Checks settings against each other and against the environment. */
export function judgeConfig(config: Config, settings: SettingsReader): void {
  const { environment, masterKeys } = config
  judgeDatabase(config.database, settings)
  judgePorts(config, settings)
  if (masterKeys !== null) settings.attempt('TENANTRY_MASTER_KEYS', () => void createKeyring(masterKeys), undefined)
  judgeAdminKey(config, settings)
  if (environment === 'production') judgeProduction(config, settings)
  judgePublicUrl(config, settings)
}

function judgePorts({ port, metricsPort, admin }: Config, { problems }: SettingsReader): void {
  if (metricsPort === port) problems.push('METRICS_PORT: must differ from PORT')
  if (admin?.port === port) problems.push('ADMIN_PORT: must differ from PORT')
  if (admin !== null && admin.port === metricsPort) problems.push('ADMIN_PORT: must differ from METRICS_PORT')
}

function judgeAdminKey({ adminKey, environment }: Config, { problems }: SettingsReader): void {
  if (adminKey === rootKeyOff) return
  if (adminKey == null) {
    if (environment !== 'development') {
      problems.push(
        'TENANTRY_ADMIN_KEY: required; set it to a secret of at least 32 characters (generated in development only), or to off once operators exist',
      )
    }
    return
  }
  if (adminKey.length < shortestAdminKey) {
    problems.push(`TENANTRY_ADMIN_KEY: too short; must have at least ${shortestAdminKey} characters`)
  }
  if (bearerToken(`Bearer ${adminKey}`) !== adminKey) {
    problems.push(
      'TENANTRY_ADMIN_KEY: invalid characters; only letters, digits and - . _ ~ + / can be sent as a bearer token',
    )
  }
}

function judgeProduction({ masterKeys, testingChannelUrl, identityProviders }: Config, settings: SettingsReader): void {
  const { problems, warnings } = settings
  if (masterKeys === null) {
    problems.push('TENANTRY_MASTER_KEYS: required in production; set it to kid:base64 of 32 random bytes')
  }
  if (testingChannelUrl !== null) {
    problems.push('TENANTRY_TESTING_CHANNEL_URL: not available in production; unset it')
  }
  for (const provider of SocialProvider.options) {
    const { jwksUrl } = identityProviders[provider] ?? realProviders[provider]
    if (jwksUrl === realProviders[provider].jwksUrl) continue
    const name = `TENANTRY_${provider.toUpperCase()}_JWKS_URL`
    const risk = 'anyone who controls the keys at this URL can sign in as any user'
    const { protocol, hostname } = new URL(jwksUrl)
    if (protocol === 'https:' || isLoopback(hostname)) warnings.push(`${name}: not the provider's; ${risk}`)
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
