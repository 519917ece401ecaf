import type { SigningKey, SigningKeyStore } from '../../accounts/signing-keys.ts'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

const list = systemStatement<{ kid: string; public_jwk: string; sealed_private_jwk: string; created_at: number }>(
  'signingKey.list',
  'SELECT kid, public_jwk, sealed_private_jwk, created_at FROM signing_keys ORDER BY ordinal',
)

/** Where two processes see an empty table at once, the unique ordinal lets one of them win. */
const addFirst = systemStatement(
  'signingKey.addFirst',
  `INSERT INTO signing_keys (kid, ordinal, public_jwk, sealed_private_jwk, created_at)
   SELECT $1, 1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM signing_keys)
   ON CONFLICT (ordinal) DO NOTHING`,
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
        publicJwk: row.public_jwk,
        sealedPrivateJwk: row.sealed_private_jwk,
        createdAt: row.created_at,
      })),
    )
  }

  addFirst(key: SigningKey): Promise<void> {
    return this.#executor.write(async (sql) => {
      await sql.run(addFirst, key.kid, key.publicJwk, key.sealedPrivateJwk, key.createdAt)
    })
  }
}
