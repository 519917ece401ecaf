import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { explainFileError, fileErrorCode } from '../core/file-refusal.ts'
import { createOwnedFile } from '../core/owned-file.ts'
import { createPrivateFolder } from '../core/private-folder.ts'
import { realPath } from '../core/real-path.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { defaultSqlitePath } from './sqlite-url.ts'

/** The value of TENANTRY_ADMIN_KEY for a deployment that has operators only. */
export const rootKeyOff = 'off'

/** Secrets that are generated outside production and stored beside the database, readable by this user only. */
export interface KeptSecrets {
  masterKeys?: string
  adminKey?: string
  /** The tenant created by the first startup in development. */
  demo?: { tenantId: string; tenantKey: string; email: string; password: string }
  /** The id of a demo tenant that is not complete. */
  unfinishedDemo?: string
}

/** What the settings say about them. */
interface ConfiguredSecrets {
  /** null: generated and stored. */
  readonly masterKeys: string | null
  /** `off`, or null: generated and stored. */
  readonly adminKey: string | null
  readonly database: DatabaseSettings
}

/** The path of the secrets file. */
export const secretsPath = (databasePath: string): string => join(dirname(databasePath), 'secrets.json')

/** A remote database has no folder, so its secrets are in `./data`. */
export const secretsPathOf = (database: DatabaseSettings): string =>
  secretsPath(database.engine === 'sqlite' ? database.path : defaultSqlitePath)

/**
 * The stored secrets; empty if the file does not exist.
 * @throws Error if it cannot be read or is damaged
 */
export const readKeptSecrets = (path: string): KeptSecrets => findKeptSecrets(path) ?? {}

/** The stored secrets; null if the file does not exist, which differs from a file that this process may not read. */
function findKeptSecrets(path: string): KeptSecrets | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return null
    throw failure('read', path, error)
  }
  const kept = parsedOrNull(text)
  if (isKeptSecrets(kept)) return kept
  throw new Error(`${path} is damaged; restore it, because stored data cannot be decrypted without its master keys`)
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isKeptSecrets(value: unknown): value is KeptSecrets {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { masterKeys = '', adminKey = '' } = value as Record<string, unknown>
  return typeof masterKeys === 'string' && typeof adminKey === 'string'
}

const failure = (verb: 'read' | 'write', path: string, error: unknown): Error =>
  new Error(`failed to ${verb} ${path} (${fileErrorCode(error)}): ${explainFileError(path, error)}`, { cause: error })

/** Updates the stored secrets. Writes a new file and renames it, so that an interruption leaves the old or the new one. */
export function keepSecrets(path: string, secrets: KeptSecrets): void {
  const file = linkedFile(path)
  renameSync(draftOf(file, { ...readKeptSecrets(file), ...secrets }), file)
}

/** A link stays: the file that it names may be on a disk that outlives the folder. */
const linkedFile = (path: string): string => (existsSync(dirname(path)) ? realPath(path) : path)

/** Stores the first secrets. If several processes start at once, all use those of the process that was first. */
function keepFirst(path: string, secrets: KeptSecrets): KeptSecrets {
  const file = linkedFile(path)
  const draft = draftOf(file, secrets)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readKeptSecrets(file)
}

function draftOf(path: string, secrets: KeptSecrets): string {
  const draft = `${path}.${process.pid}`
  try {
    createPrivateFolder(dirname(path))
    // In a container, a process that was killed while it wrote had the same id.
    rmSync(draft, { force: true })
    createOwnedFile(draft, existsSync(path) ? path : dirname(path))
    writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { flush: true })
  } catch (error) {
    rmSync(draft, { force: true })
    throw failure('write', draft, error)
  }
  return draft
}

/**
 * Master keys and root key: configured, stored, or generated and stored; null for a root key that is off. `readConfig`
 * requires them where needed.
 */
export function requireSecrets(
  config: ConfiguredSecrets,
  now: number,
): { masterKeys: string; adminKey: string | null } {
  if (config.adminKey !== rootKeyOff) return findSecrets(config, now)
  return { ...findSecrets(config, now), adminKey: null }
}

function findSecrets(
  { masterKeys, adminKey, database }: ConfiguredSecrets,
  now: number,
): { masterKeys: string; adminKey: string } {
  if (masterKeys !== null && adminKey !== null) return { masterKeys, adminKey }
  const path = secretsPathOf(database)
  const made = {
    ...(masterKeys === null && { masterKeys: generateMasterKeys(now) }),
    ...(adminKey === null && { adminKey: randomBytes(32).toString('base64url') }),
  }
  const kept = findKeptSecrets(path) ?? keepFirst(path, made)
  const all = { ...made, ...kept }
  if ((masterKeys ?? kept.masterKeys) === undefined || (adminKey ?? kept.adminKey) === undefined) keepSecrets(path, all)
  return { masterKeys: masterKeys ?? all.masterKeys!, adminKey: adminKey ?? all.adminKey! }
}
