import type { SigningKey, SigningKeyStore } from '../../accounts/sessions/signing-key-store.ts'
import { deployment } from '../../core/deployment.ts'
import type { QueuedEvent } from '../../events/event.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor, Sql } from '../database.ts'
import { systemStatement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { addEvent, eventValues } from './event-queue.ts'

const signingKeys = columnsOf<SigningKey>('signing_keys', {
  kid: text('kid'),
  ordinal: number('ordinal'),
  publicJwk: text('public_jwk'),
  sealedPrivateJwk: text('sealed_private_jwk'),
  createdAt: number('created_at'),
  signsFrom: number('signs_from'),
})

const list = systemStatement(
  'signingKey.list',
  `SELECT ${signingKeys.columns} FROM signing_keys WHERE retired_at IS NULL ORDER BY ordinal`,
  signingKeys,
)
const newest = systemStatement<{ ordinal: number }>(
  'signingKey.newest',
  'SELECT ordinal FROM signing_keys ORDER BY ordinal DESC LIMIT 1',
)
/** The unique ordinal lets one of two processes win that see the same newest key. */
const add = systemStatement('signingKey.add', `${signingKeys.insert} ON CONFLICT (ordinal) DO NOTHING`)
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
    return this.#executor.read(async (sql) => signingKeys.readAll(await sql.rows(list)))
  }

  add(key: SigningKey, event: QueuedEvent | null = null): Promise<boolean> {
    return this.#executor.write(async (sql) => {
      // A slow process must not add a key that was erased in the meantime.
      if (key.ordinal !== (await nextOrdinal(sql))) return false
      const added = await insert(sql, key)
      if (added && event !== null) await sql.run(addEvent, deployment, ...eventValues(sql, event))
      return added
    })
  }

  replaceAll(key: Omit<SigningKey, 'ordinal'>, event: QueuedEvent | null = null): Promise<void> {
    return this.#executor.write(async (sql) => {
      // Read first: if another process adds a key from here on, the insert conflicts and all of this runs again.
      const ordinal = await nextOrdinal(sql)
      await sql.run(retireAll, key.createdAt)
      const added = await insert(sql, { ...key, ordinal })
      if (!added) throw new WriteConflict('a signing key was added while all keys were being withdrawn')
      if (event !== null) await sql.run(addEvent, deployment, ...eventValues(sql, event))
    })
  }

  async erase(before: number): Promise<void> {
    await this.#executor.effect(erase, before)
  }
}

const nextOrdinal = async (sql: Sql): Promise<number> => ((await sql.row(newest))?.ordinal ?? 0) + 1

const insert = async (sql: Sql, key: SigningKey): Promise<boolean> =>
  (await sql.run(add, ...signingKeys.values(key))) === 1
