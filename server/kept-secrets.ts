import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from './config.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { generateMasterKeys } from './secrets/master-keys.ts'

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
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ ...readKeptSecrets(path), ...secrets }, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  renameSync(draft, path)
}

/** The master keys and the admin key: as set, else as kept, else made and kept. `config` has judged what may be made. */
export function requireSecrets(config: Config, now: number): { masterKeys: string; adminKey: string } {
  const path = secretsPathOf(config.database)
  const needsKept = config.masterKeys === null || config.adminKey === null
  const kept = needsKept ? readKeptSecrets(path) : {}
  const masterKeys = config.masterKeys ?? kept.masterKeys ?? generateMasterKeys(now)
  const adminKey = config.adminKey ?? kept.adminKey ?? randomBytes(32).toString('base64url')
  if (needsKept && (kept.masterKeys !== masterKeys || kept.adminKey !== adminKey)) {
    keepSecrets(path, {
      ...(config.masterKeys === null && { masterKeys }),
      ...(config.adminKey === null && { adminKey }),
    })
  }
  return { masterKeys, adminKey }
}
