import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import type { Config } from './config.ts'
import type { DatabaseSettings } from './database-settings.ts'

/** Secrets that are made up outside production and kept beside the database, readable by this user alone. */
export interface KeptSecrets {
  masterKeys?: string
  adminKey?: string
  /** The tenant made at the first start in development. */
  demo?: { tenantId: string; tenantKey: string; email: string; password: string }
}

/** Where they are kept. */
export const secretsPath = (databasePath: string): string => join(dirname(databasePath), 'secrets.json')

/** A database elsewhere has no folder: then it is this machine's `./data`. */
export const secretsPathOf = (database: DatabaseSettings): string =>
  secretsPath(database.engine === 'sqlite' ? database.path : './data/tenantry.db')

/** What is kept; nothing where there is no file. */
export function readKeptSecrets(path: string): KeptSecrets {
  if (!existsSync(path)) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(`${path} is not JSON: restore it; without the master keys in it, stored codes cannot be opened`)
  }
}

/** Adds to what is kept: written beside and renamed, so that an interrupted start leaves one or the other. */
export function keepSecrets(path: string, secrets: KeptSecrets): void {
  renameSync(draftOf(path, { ...readKeptSecrets(path), ...secrets }), path)
}

/** Keeps the first ones. Of processes that start at once one has made them: its own are those of all. */
function keepFirst(path: string, secrets: KeptSecrets): KeptSecrets {
  const draft = draftOf(path, secrets)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readKeptSecrets(path)
}

function draftOf(path: string, secrets: KeptSecrets): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  return draft
}

/** The master keys and the admin key: as set, else as kept, else made and kept. `config` has judged what may be made. */
export function requireSecrets(config: Config, now: number): { masterKeys: string; adminKey: string } {
  const { masterKeys, adminKey } = config
  if (masterKeys !== null && adminKey !== null) return { masterKeys, adminKey }
  const path = secretsPathOf(config.database)
  const made = {
    ...(masterKeys === null && { masterKeys: generateMasterKeys(now) }),
    ...(adminKey === null && { adminKey: randomBytes(32).toString('base64url') }),
  }
  const kept = existsSync(path) ? readKeptSecrets(path) : keepFirst(path, made)
  const all = { ...made, ...kept }
  if ((masterKeys ?? kept.masterKeys) === undefined || (adminKey ?? kept.adminKey) === undefined) keepSecrets(path, all)
  return { masterKeys: masterKeys ?? all.masterKeys!, adminKey: adminKey ?? all.adminKey! }
}
