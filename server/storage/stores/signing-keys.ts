import type { SigningKey, SigningKeyStore } from '../../accounts/signing-keys.ts'
import type { Executor, Sql } from '../database.ts'
import { systemStatement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'

interface SigningKeyRow {
  kid: string
  ordinal: number
  public_jwk: string
  sealed_private_jwk: string
  created_at: number
  signs_from: number
}

const list = systemStatement<SigningKeyRow>(
  'signingKey.list',
  `SELECT kid, ordinal, public_jwk, sealed_private_jwk, created_at, signs_from FROM signing_keys
   WHERE retired_at IS NULL ORDER BY ordinal`,
)
const newest = systemStatement<{ ordinal: number }>(
  'signingKey.newest',
  'SELECT ordinal FROM signing_keys ORDER BY ordinal DESC LIMIT 1',
)
/** Where two processes see the same newest key at once, the unique ordinal lets one of them win. */
const add = systemStatement(
  'signingKey.add',
  `INSERT INTO signing_keys (kid, ordinal, public_jwk, sealed_private_jwk, created_at, signs_from)
   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (ordinal) DO NOTHING`,
)
const retireAll = systemStatement(
  'signingKey.retireAll',
  'UPDATE signing_keys SET retired_at = $1 WHERE retired_at IS NULL',
)
const erase = systemStatement(
  'signingKey.erase',
  `DELETE FROM signing_keys
   WHERE ordinal < (SELECT MAX(newer.ordinal) FROM signing_keys newer WHERE newer.signs_from <= $1)`,
)

/** The deployment's signing keys in any SQL database. */
export class SqlSigningKeyStore implements SigningKeyStore {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  list(): Promise<SigningKey[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(list)).map((row) => ({
        kid: row.kid,
        ordinal: row.ordinal,
        publicJwk: row.public_jwk,
        sealedPrivateJwk: row.sealed_private_jwk,
        createdAt: row.created_at,
        signsFrom: row.signs_from,
      })),
    )
  }

  add(key: SigningKey): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      // A newest key that was erased meanwhile must not be made again by a process that was slow.
      if (key.ordinal !== (await nextOrdinal(sql))) return false
      return insert(sql, key)
    })
  }

  replaceAll(key: Omit<SigningKey, 'ordinal'>): Promise<void> {
    return this.#executor.write(async (sql) => {
      // Its place first: a key that another process adds from here on is in it, and all of this runs again.
      const ordinal = await nextOrdinal(sql)
      await sql.run(retireAll, key.createdAt)
      const added = await insert(sql, { ...key, ordinal })
      if (!added) throw new WriteConflict('A signing key was added while all were withdrawn')
    })
  }

  async erase(before: number): Promise<void> {
    await this.#executor.effect(erase, before)
  }
}

const nextOrdinal = async (sql: Sql): Promise<number> => ((await sql.row(newest))?.ordinal ?? 0) + 1

async function insert(sql: Sql, key: SigningKey): Promise<boolean> {
  const { kid, ordinal, publicJwk, sealedPrivateJwk, createdAt, signsFrom } = key
  return (await sql.run(add, kid, ordinal, publicJwk, sealedPrivateJwk, createdAt, signsFrom)) === 1
}
