import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../contract/fields/profile-values.ts'
import { createPrivateFolder } from '../server/core/private-folder.ts'
import { realPath } from '../server/core/real-path.ts'
import { partOf } from './terminal/private-file.ts'
import { CommandFailure, type Terminal } from './terminal/terminal.ts'

/** The key of `tenantry login` for each server, by the server's URL. */
type Logins = Readonly<Record<string, string>>

/** Where logins are kept; null where the environment has no home folder. */
export function loginsPath({ env }: Terminal): string | null {
  const home = env['HOME'] || env['USERPROFILE']
  const config = env['XDG_CONFIG_HOME'] || (home && join(home, '.config'))
  return config ? join(config, 'tenantry', 'logins.json') : null
}

/** A key is never sent to another server than the one it was given for. */
const nameOf = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/+$/, '')

/** The key that was kept for a server; null when there is none. */
export function keptLogin(baseUrl: string, terminal: Terminal): string | null {
  const path = loginsPath(terminal)
  return path === null ? null : (readLogins(path)[nameOf(baseUrl)] ?? null)
}

/** Keeps a key for a server, readable by the owner of the file only. Returns the path of the file. */
export function keepLogin(baseUrl: string, key: string, terminal: Terminal): string {
  const path = loginsPath(terminal)
  if (path === null) {
    throw new CommandFailure('No folder for the key found. Set HOME or XDG_CONFIG_HOME, or use TENANTRY_OPERATOR_KEY.')
  }
  writeLogins(path, { ...readLogins(path), [nameOf(baseUrl)]: key })
  return path
}

/** Forgets the key of a server; false when none was kept. */
export function forgetLogin(baseUrl: string, terminal: Terminal): boolean {
  const path = loginsPath(terminal)
  if (path === null) return false
  const { [nameOf(baseUrl)]: forgotten, ...others } = readLogins(path)
  if (forgotten === undefined) return false
  if (Object.keys(others).length > 0) writeLogins(path, others)
  else rmSync(realPath(path))
  return true
}

function readLogins(path: string): Logins {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    // Service accounts often have /dev/null as their home.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return {}
    throw new CommandFailure(`Failed to read ${path}: ${(error as Error).message}`)
  }
  const logins = parsed(text)
  if (logins === null) {
    throw new CommandFailure(`${path} is not a file of logins. Delete it, then run "tenantry login" again.`)
  }
  return logins
}

/** Errors of JSON.parse would quote a part of the file. */
function parsed(text: string): Logins | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && Object.values(value).every((key) => typeof key === 'string') ? (value as Logins) : null
  } catch {
    return null
  }
}

/** Atomic: the file is private and complete before it has its name. A link stays, such as one to a folder of settings. */
function writeLogins(path: string, logins: Logins): void {
  let part: string | undefined
  try {
    createPrivateFolder(dirname(path))
    const file = realPath(path)
    part = partOf(file)
    writeFileSync(part, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    chmodSync(part, 0o600)
    renameSync(part, file)
  } catch (error) {
    if (part !== undefined) rmSync(part, { force: true })
    throw new CommandFailure(`Failed to write ${path}: ${(error as Error).message}`)
  }
}
