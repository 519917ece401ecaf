import type { UsedIdTokenStore } from '../../accounts/used-id-tokens.ts'
import { columnsOf, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

const usedIdTokens = columnsOf<{ readonly hash: string; readonly expiresAt: number }>('used_id_tokens', {
  hash: text('token_hash'),
  expiresAt: number('expires_at'),
})

/** A concurrent INSERT of the same token waits for the first one to commit, then does nothing. */
const add = statement('usedIdToken.add', `${usedIdTokens.tenantInsert} ON CONFLICT DO NOTHING`)

/** One tenant's used ID tokens in any SQL database. */
export class SqlUsedIdTokenStore implements UsedIdTokenStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async add(hash: string, expiresAt: number): Promise<boolean> {
    const values = usedIdTokens.values({ hash, expiresAt })
    return (await this.#executor.effect(add, this.#tenantId, ...values)).changes === 1
  }
}
