import type { CheckpointKey, CheckpointKeyStore } from '../../events/checkpoint-keys.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

const checkpointKeys = columnsOf<CheckpointKey>('checkpoint_keys', {
  kid: text('kid'),
  ordinal: number('ordinal'),
  publicJwk: text('public_jwk'),
  sealedPrivateJwk: text('sealed_private_jwk'),
  createdAt: number('created_at'),
})

const list = systemStatement(
  'checkpointKey.list',
  `SELECT ${checkpointKeys.columns} FROM checkpoint_keys ORDER BY ordinal`,
  checkpointKeys,
)
/** The unique ordinal lets one of two processes win that see the same newest key. */
const add = systemStatement('checkpointKey.add', `${checkpointKeys.insert} ON CONFLICT (ordinal) DO NOTHING`)

/** The deployment's checkpoint keys in any SQL database. */
export class SqlCheckpointKeyStore implements CheckpointKeyStore {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  list(): Promise<CheckpointKey[]> {
    return this.#executor.read(async (sql) => checkpointKeys.readAll(await sql.rows(list)))
  }

  async add(key: CheckpointKey): Promise<boolean> {
    return (await this.#executor.effect(add, ...checkpointKeys.values(key))).changes === 1
  }
}
