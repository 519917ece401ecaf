import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createTenantryAdmin, type TenantryAdmin } from '../packages/client/src/admin.ts'
import { readKeptSecrets } from '../server/settings/kept-secrets.ts'
import { localAdminUrl, localSecretsPath } from '../server/settings/local-server.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

/** A client for the selected server with its admin key. */
export const connect = (url: string | undefined, terminal: Terminal): TenantryAdmin =>
  createTenantryAdmin(connectionOf(url, terminal))

/** The selected server and its admin key. */
export function connectionOf(url: string | undefined, terminal: Terminal): { baseUrl: string; adminKey: string } {
  const baseUrl = baseUrlOf(url, terminal)
  return { baseUrl, adminKey: findAdminKey(baseUrl, terminal) }
}

/** The URL of the selected server. */
export function baseUrlOf(url: string | undefined, terminal: Terminal): string {
  const baseUrl = (url ?? terminal.env['TENANTRY_URL']) || localAdminUrl(terminal.env)
  requireUrl(baseUrl)
  return baseUrl
}

function requireUrl(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new CommandFailure(
    `"${url}" is not an http or https URL. Set --url or TENANTRY_URL to the server's URL, such as ${localAdminUrl({})}.`,
  )
}

function findAdminKey(baseUrl: string, terminal: Terminal): string {
  const key = setKey(terminal) ?? keptKey(baseUrl, terminal)
  if (key === null) {
    throw new CommandFailure(
      'No admin key found. Set TENANTRY_ADMIN_KEY to the key the server was started with. For a development server on this machine, run the command in the folder where the server was started: its key is stored beside the database.',
    )
  }
  // An invalid header value would be quoted in an error message, key included.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CommandFailure(
      'The admin key contains spaces, line breaks or non-ASCII characters. Set it again without them.',
    )
  }
  return key
}

function setKey({ env, folder }: Terminal): string | null {
  const key = env['TENANTRY_ADMIN_KEY']?.trim()
  if (key) return key
  const path = env['TENANTRY_ADMIN_KEY_FILE']
  if (!path) return null
  try {
    return readFileSync(resolve(folder, path), 'utf8').trim()
  } catch (error) {
    throw new CommandFailure(`TENANTRY_ADMIN_KEY_FILE: ${(error as Error).message}`)
  }
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
