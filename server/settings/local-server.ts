import { resolve } from 'node:path'
import { readSecretFile } from '../core/file-refusal.ts'
import { secretsPath } from './kept-secrets.ts'
import type { Environ } from './settings-reader.ts'
import { defaultSqlitePath, sqlitePathOf } from './sqlite-url.ts'

/** The URL of a server on this machine that was started with these variables. @throws Error when PORT is not a port */
export const localUrl = ({ PORT }: Environ): string => `http://127.0.0.1:${portOf('PORT', PORT || '4000')}`

/** Where that server serves `/admin`. @throws Error when ADMIN_PORT or PORT is not a port */
export const localAdminUrl = (env: Environ): string =>
  env['ADMIN_PORT'] ? `http://127.0.0.1:${portOf('ADMIN_PORT', env['ADMIN_PORT'])}` : localUrl(env)

/**
 * For programs that read settings and no arguments, such as `npm start`. Names the argument without a value, which may be secret.
 * @throws Error if there is an argument
 */
export function refuseArguments([first]: readonly string[], usage: string): void {
  if (first === undefined) return
  throw new Error(
    `unknown argument "${first.split('=')[0]}"; remove it and set environment variables instead, such as "${usage}" (docs/reference/settings.md)`,
  )
}

/** The port in a setting. @throws Error when it is none */
export function portOf(name: string, value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new Error(`${name}: "${value}" is not a port; use a whole number from 1 to 65535`)
}

/** The path of its generated secrets. A remote database has no folder, so they are in `./data`. */
export const localSecretsPath = ({ DATABASE_URL }: Environ): string =>
  secretsPath(sqlitePathOf(DATABASE_URL ?? '') ?? defaultSqlitePath)

/**
 * The root key in the file that TENANTRY_ADMIN_KEY_FILE names; undefined without the setting.
 * @throws Error if the file has none
 */
export function rootKeyInFile({ TENANTRY_ADMIN_KEY_FILE: path }: Environ, folder: string): string | undefined {
  if (!path) return undefined
  try {
    const key = readSecretFile(resolve(folder, path))
    if (key === '') throw new Error(`${path} is empty`)
    return key
  } catch (error) {
    throw new Error(`TENANTRY_ADMIN_KEY_FILE: ${(error as Error).message}`)
  }
}
