import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createTenantryAdmin, type TenantryAdmin } from '../packages/client/src/admin.ts'
import { readKeptSecrets, rootKeyOff } from '../server/settings/kept-secrets.ts'
import { localAdminUrl, localSecretsPath, rootKeyInFile } from '../server/settings/local-server.ts'
import { keptLogin, loginsPath } from './kept-logins.ts'
import { patientFetch } from './patient-fetch.ts'
import { CommandFailure, type Terminal } from './terminal/terminal.ts'

export interface ConnectOptions {
  /** Set for calls that are answered when the service has read everything: they have no timeout. */
  readonly isPatient?: true
}

/** A client for the selected server with its admin key. */
export const connect = (
  url: string | undefined,
  terminal: Terminal,
  { isPatient }: ConnectOptions = {},
): TenantryAdmin =>
  createTenantryAdmin({ ...connectionOf(url, terminal), ...(isPatient && { timeoutMs: 0, fetch: patientFetch }) })

/** The selected server and its admin key. */
export function connectionOf(url: string | undefined, terminal: Terminal): { baseUrl: string; adminKey: string } {
  const baseUrl = baseUrlOf(url, terminal)
  return { baseUrl, adminKey: findAdminKey(baseUrl, terminal) }
}

/** The URL of the selected server. */
export function baseUrlOf(url: string | undefined, terminal: Terminal): string {
  // `--url "$STAGING"` with an unset variable must not select another server.
  const baseUrl = url ?? (terminal.env['TENANTRY_URL'] || localServer(terminal))
  requireUrl(baseUrl)
  return baseUrl
}

function localServer({ env }: Terminal): string {
  try {
    return localAdminUrl(env)
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message}, or set --url or TENANTRY_URL.`)
  }
}

function requireUrl(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new CommandFailure(
    `"${url}" is not an http or https URL. Set --url or TENANTRY_URL to the server's URL, such as ${localAdminUrl({})}.`,
  )
}

/** A key, and where it was found. */
interface FoundKey {
  readonly key: string
  readonly source: string
}

function findAdminKey(baseUrl: string, terminal: Terminal): string {
  const found = findKey(baseUrl, terminal)
  if (found === null) {
    throw new CommandFailure(
      'No admin key found. Run "tenantry login", or set TENANTRY_OPERATOR_KEY to your key or TENANTRY_ADMIN_KEY to the key the server was started with. For a development server on this machine, run the command in the folder where the server was started: its key is stored beside the database.',
    )
  }
  requireHeaderText(found.key)
  return found.key
}

/** An invalid header value would be quoted in an error message, key included. */
export function requireHeaderText(key: string): void {
  if (/^[\x21-\x7e]+$/.test(key)) return
  throw new CommandFailure(
    'The admin key contains spaces, line breaks or non-ASCII characters. Set it again without them.',
  )
}

/** The first key of: the operator's variable, the login, the root key. */
function findKey(baseUrl: string, terminal: Terminal): FoundKey | null {
  const variable = 'TENANTRY_OPERATOR_KEY'
  const named = terminal.env[variable]?.trim()
  if (named) return { key: named, source: variable }
  const login = keptLogin(baseUrl, terminal)
  if (login !== null) return { key: login, source: `"tenantry login" (${loginsPath(terminal)})` }
  const set = setKey(terminal)
  if (set !== null) return set
  const kept = keptKey(baseUrl, terminal)
  return kept === null ? null : { key: kept, source: resolve(terminal.folder, localSecretsPath(terminal.env)) }
}

/** Where the key for a server was found; null without one. */
export function sourceOfKey(url: string | undefined, terminal: Terminal): string | null {
  return findKey(baseUrlOf(url, terminal), terminal)?.source ?? null
}

function setKey({ env, folder }: Terminal): FoundKey | null {
  const key = env['TENANTRY_ADMIN_KEY']?.trim()
  // A server whose root key is off has this value in its settings, which it may share with this tool.
  if (key && key !== rootKeyOff) return { key, source: 'TENANTRY_ADMIN_KEY' }
  const inFile = rootKeyInFile(env, folder)
  return inFile === undefined
    ? null
    : { key: inFile, source: `TENANTRY_ADMIN_KEY_FILE (${env['TENANTRY_ADMIN_KEY_FILE']})` }
}

/** The key stored by a server on this machine. Never sent to other machines; production stores none. */
function keptKey(baseUrl: string, { env, folder }: Terminal): string | null {
  if (env['TENANTRY_ENVIRONMENT'] === 'production' || !isThisMachine(new URL(baseUrl).hostname)) return null
  const path = resolve(folder, localSecretsPath(env))
  try {
    return readKeptSecrets(path).adminKey ?? null
  } catch (error) {
    throw new CommandFailure(`Failed to read the admin key: ${(error as Error).message}`)
  }
}

const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
