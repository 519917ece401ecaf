import type { UsedIdTokenStore } from '../../accounts/used-id-tokens.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

/** The primary key decides: a concurrent insert of the same token waits for the first to commit, then does nothing. */
const add = statement(
  'usedIdToken.add',
  'INSERT INTO used_id_tokens (tenant_id, token_hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
)

/** One tenant's used ID tokens in any SQL database. */
export class SqlUsedIdTokenStore implements UsedIdTokenStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async add(hash: string, expiresAt: number): Promise<boolean> {
    return (await this.#executor.effect(add, this.#tenantId, hash, expiresAt)).changes === 1
  }
}
