import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/**
 * The database of the reference server: what its four operations store, indexed by what they look up. Codes and messages
 * are encrypted, as in the service.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS tenants (
    id TEXT PRIMARY KEY, key_hash TEXT NOT NULL UNIQUE, configuration TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS users (
    tenant_id TEXT NOT NULL, id TEXT NOT NULL, email TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, email)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS sessions (
    tenant_id TEXT NOT NULL, id TEXT NOT NULL, user_id TEXT NOT NULL, PRIMARY KEY (tenant_id, id)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS profiles (
    tenant_id TEXT NOT NULL, user_id TEXT NOT NULL, content TEXT NOT NULL, updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, user_id)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS otps (
    tenant_id TEXT NOT NULL, id TEXT NOT NULL, scope TEXT NOT NULL, state TEXT NOT NULL, user_id TEXT NOT NULL,
    recipient TEXT NOT NULL, sealed_code TEXT, max_resends INTEGER NOT NULL, resend_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, last_sent_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS otps_of_user ON otps (tenant_id, user_id);
  CREATE TABLE IF NOT EXISTS inbox (
    place INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, otp_id TEXT NOT NULL, scope TEXT NOT NULL,
    recipient TEXT NOT NULL, sealed TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS inbox_of_otp ON inbox (otp_id);
  CREATE INDEX IF NOT EXISTS inbox_of_recipient ON inbox (recipient);
`

/** Opens the database; all settings but `synchronous` are the service's. */
export function openReferenceDatabase(path: string, synchronous: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 60_000 })
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};
     PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 4000`,
  )
  database.exec(tables)
  return database
}

const key = Buffer.alloc(32, 'reference')

/** AES-256-GCM under one key, bound to a context. */
export function seal(text: string, context: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

export function open(sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
}
