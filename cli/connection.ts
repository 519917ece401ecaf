import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { createTenantryClient, type TenantryClient } from '../client/client.ts'
import { readKeptSecrets, secretsPath } from '../server/settings/kept-secrets.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

const defaultUrl = 'http://127.0.0.1:4000'
/** In the server's environment, as in its container, the command finds the listener that serves /admin. */
const urlOfServer = ({ ADMIN_PORT }: Terminal['env']): string =>
  ADMIN_PORT ? `http://127.0.0.1:${ADMIN_PORT}` : defaultUrl

/** A client for the server that is meant, holding the admin key. */
export function connect(url: string | undefined, terminal: Terminal): TenantryClient {
  const baseUrl = (url ?? terminal.env['TENANTRY_URL']) || urlOfServer(terminal.env)
  requireUrl(baseUrl)
  return createTenantryClient({ baseUrl, adminKey: findAdminKey(baseUrl, terminal) })
}

function requireUrl(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new CommandFailure(
    `"${url}" is no address of a server: give one such as ${defaultUrl} with --url or TENANTRY_URL.`,
  )
}

function findAdminKey(baseUrl: string, terminal: Terminal): string {
  const key = setKey(terminal) ?? keptKey(baseUrl, terminal)
  if (key === null) {
    throw new CommandFailure(
      'No admin key: set TENANTRY_ADMIN_KEY to the key the server was started with. A development server on this machine keeps one beside its database: run this from the folder the server was started in.',
    )
  }
  // What a header cannot hold would come back in an error message, key and all.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CommandFailure(
      'The admin key has spaces, line breaks or letters beyond ASCII in it: set it again, as it is.',
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

/** The key a server on this machine keeps; other machines are never sent it, and production keeps none. */
function keptKey(baseUrl: string, { env, folder }: Terminal): string | null {
  if (env['TENANTRY_ENVIRONMENT'] === 'production' || !isThisMachine(new URL(baseUrl).hostname)) return null
  // A database elsewhere has no folder: then the keys are in this machine's ./data.
  const database = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(env['DATABASE_URL'] ?? '')?.[1] ?? './data/tenantry.db'
  const path = secretsPath(resolve(folder, database))
  try {
    return readKeptSecrets(path).adminKey ?? null
  } catch (error) {
    throw new CommandFailure(`The admin key could not be read: ${(error as Error).message}`)
  }
}

const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
