import { readFileSync } from 'node:fs'
import { type ClientAddress, createClientAddress } from './limits/client-address.ts'
import { type LimitSettings, parseLimits } from './limits/limit-settings.ts'
import { createKeyring } from './secrets/keyring.ts'

/** Where the service runs; outside `production` codes go to the testing channel (design 8). */
export type Environment = 'development' | 'staging' | 'production'

/** Every setting, parsed (design 11). */
export interface Config {
  readonly environment: Environment
  readonly host: string
  readonly port: number
  /** Path of the SQLite file. */
  readonly databasePath: string
  /** null: made and kept beside the database. */
  readonly masterKeys: string | null
  readonly adminKey: string | null
  /** Issuer of access tokens. */
  readonly publicUrl: string
  readonly clientAddress: ClientAddress
  readonly limits: LimitSettings
  readonly logLevel: string
  /** Days until what nobody needs any more is purged. */
  readonly retentionDays: number
}

/** All that is wrong with the settings, one line each, in plain words. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

type Environ = Readonly<Record<string, string | undefined>>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
/** Read by the tenantry command and the demo, not here. */
const foreign = ['TENANTRY_URL', 'TENANTRY_TENANT', 'TENANTRY_SECRETS']

/**
 * Reads the environment, once; the only reader of it. An empty value counts as unset. Secrets may come from a file
 * named by `<NAME>_FILE`.
 * @throws ConfigError naming every wrong setting
 */
export function readConfig(env: Environ): Config {
  const problems: string[] = []
  const known = new Set<string>(foreign)
  const setting = (name: string): string | undefined => {
    known.add(name)
    return env[name] || undefined
  }
  const attempt = <T>(name: string, read: () => T, otherwise: T): T => {
    try {
      return read()
    } catch (error) {
      const { message } = error as Error
      problems.push(message.startsWith(`${name}: `) ? message : `${name}: ${message}`)
      return otherwise
    }
  }
  const secret = (name: string): string | null => {
    const path = setting(`${name}_FILE`)
    const value = setting(name)
    if (path === undefined) return value ?? null
    if (value !== undefined) problems.push(`${name}: set either ${name} or ${name}_FILE, not both`)
    return attempt(`${name}_FILE`, () => readFileSync(path, 'utf8').trim(), null)
  }
  const oneOf = <T extends string>(name: string, values: readonly T[], otherwise: T): T => {
    const value = setting(name)
    if (value === undefined) return otherwise
    if (!values.includes(value as T)) problems.push(`${name}: is "${value}", but must be one of ${values.join(', ')}`)
    return value as T
  }
  const whole = (name: string, min: number, max: number, otherwise: number): number => {
    const value = setting(name)
    if (value === undefined) return otherwise
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max))
      problems.push(`${name}: is "${value}", but must be a whole number from ${min} to ${max}`)
    return number
  }

  const environment = oneOf('TENANTRY_ENVIRONMENT', ['development', 'staging', 'production'], 'development')
  const port = whole('PORT', 0, 65_535, 4000)
  const host = setting('HOST') ?? (environment === 'development' ? '127.0.0.1' : '0.0.0.0')
  const masterKeys = secret('TENANTRY_MASTER_KEYS')
  const adminKey = secret('TENANTRY_ADMIN_KEY')
  const config: Config = {
    environment,
    host,
    port,
    databasePath: attempt('DATABASE_URL', () => sqlitePath(setting('DATABASE_URL')), ''),
    masterKeys,
    adminKey,
    publicUrl: attempt('TENANTRY_PUBLIC_URL', () => publicUrl(setting('TENANTRY_PUBLIC_URL'), port), ''),
    clientAddress: attempt(
      'TENANTRY_TRUSTED_PROXIES',
      () => createClientAddress(setting('TENANTRY_TRUSTED_PROXIES') ?? ''),
      createClientAddress(''),
    ),
    limits: attempt('TENANTRY_LIMITS', () => parseLimits(setting('TENANTRY_LIMITS')), parseLimits(undefined)),
    logLevel: oneOf('LOG_LEVEL', logLevels, environment === 'development' ? 'warn' : 'info'),
    retentionDays: whole('TENANTRY_RETENTION_DAYS', 1, 3650, 7),
  }
  if (masterKeys !== null) attempt('TENANTRY_MASTER_KEYS', () => void createKeyring(masterKeys), undefined)
  if (adminKey !== null && adminKey.length < 32) problems.push('TENANTRY_ADMIN_KEY: must have at least 32 characters')
  if (adminKey === null && environment !== 'development') {
    problems.push('TENANTRY_ADMIN_KEY: set it to a secret of at least 32 characters; only development makes one up')
  }
  if (environment === 'production') {
    if (masterKeys === null)
      problems.push('TENANTRY_MASTER_KEYS: set it to kid:base64 of 32 random bytes; production makes none up')
    problems.push(
      'TENANTRY_ENVIRONMENT: production cannot start yet: this version has no sender for e-mail or SMS, so no code would ever arrive. Use staging, where codes go to the testing channel',
    )
  }
  if (setting('VALKEY_URL') !== undefined)
    problems.push('VALKEY_URL: this version counts limits in its own process only: unset it')
  for (const name of Object.keys(env)) {
    if (name.startsWith('TENANTRY_') && !known.has(name))
      problems.push(`${name}: there is no such setting; check its spelling`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function sqlitePath(url = 'sqlite:./data/tenantry.db'): string {
  if (/^postgres(ql)?:/.test(url)) throw new Error('this version stores in SQLite only: use sqlite:<path>')
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1]
  if (path === undefined)
    throw new Error(`is "${url}", but must be sqlite:<path of the file>, such as sqlite:./data/tenantry.db`)
  return path
}

function publicUrl(url: string | undefined, port: number): string {
  if (url === undefined) return `http://127.0.0.1:${port}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error(`is "${url}", but must be an address such as https://accounts.example.com`)
  }
  return url.replace(/\/+$/, '')
}
