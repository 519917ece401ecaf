import type { Grant, LastingOperator, OperatorStore, StoredOperator } from '../../operators/operator.ts'
import type { PageRequest } from '../../tenants/tenant.ts'
import { columnsOf, json, number, text } from '../columns.ts'
import type { Executor } from '../database.ts'
import { systemStatement } from '../statement.ts'

const operators = columnsOf<StoredOperator>('operators', {
  id: text('id'),
  name: text('name'),
  email: text('email'),
  secretHash: text('secret_hash'),
  previousHash: text('previous_hash'),
  previousUntil: number('previous_until'),
  scopes: json('scopes'),
  tenantIds: json('tenant_ids'),
  createdBy: text('created_by'),
  createdAt: number('created_at'),
  expiresAt: number('expires_at'),
  revokedAt: number('revoked_at'),
  lastUsedAt: number('last_used_at'),
})
const changeable = operators.pick('id', 'name', 'email', 'scopes', 'tenantIds', 'expiresAt')
const lastingOperators = operators.pick('id', 'scopes')

const one = 'id = $1 AND revoked_at IS NULL'
const lasting = 'revoked_at IS NULL AND expires_at IS NULL AND tenant_ids IS NULL'

const add = systemStatement('operator.add', operators.insert)
const find = systemStatement('operator.find', `SELECT ${operators.columns} FROM operators WHERE id = $1`, operators)
const list = systemStatement(
  'operator.list',
  `SELECT ${operators.columns} FROM operators WHERE id > $1 ORDER BY id LIMIT $2`,
  operators,
)
const lock = systemStatement(
  'operator.lock',
  `UPDATE operators SET name = name WHERE ${one} RETURNING ${operators.columns}`,
  operators,
)
const update = systemStatement(
  'operator.update',
  `UPDATE operators SET name = $2, email = $3, scopes = $4, tenant_ids = $5, expires_at = $6 WHERE ${one}`,
)
const rotate = systemStatement(
  'operator.rotate',
  `UPDATE operators SET secret_hash = $2, previous_hash = CASE WHEN CAST($3 AS BIGINT) IS NULL THEN NULL ELSE secret_hash END,
     previous_until = $3 WHERE ${one}`,
)
const revoke = systemStatement('operator.revoke', `UPDATE operators SET revoked_at = $2 WHERE ${one}`)
const listLasting = systemStatement(
  'operator.listLasting',
  `SELECT ${lastingOperators.columns} FROM operators WHERE ${lasting} ORDER BY id`,
  lastingOperators,
)
/** A transaction that waited here judges the rows as they are after the other one. */
const lockLasting = systemStatement(
  'operator.lockLasting',
  `UPDATE operators SET name = name WHERE ${lasting} RETURNING ${lastingOperators.columns}`,
  lastingOperators,
)
const touch = systemStatement(
  'operator.touch',
  'UPDATE operators SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)',
)

/** The operators of the deployment in any SQL database. */
export class SqlOperatorStore implements OperatorStore {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  async add(operator: StoredOperator): Promise<void> {
    await this.#executor.effect(add, ...operators.values(operator))
  }

  find(id: string): Promise<StoredOperator | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(find, id)
      return row && operators.read(row)
    })
  }

  list({ limit, cursor }: PageRequest): Promise<StoredOperator[]> {
    return this.#executor.read(async (sql) => operators.readAll(await sql.rows(list, cursor ?? '', limit)))
  }

  async lock(id: string): Promise<StoredOperator | null> {
    const { rows } = await this.#executor.effect(lock, id)
    return rows[0] ? operators.read(rows[0]) : null
  }

  async update(changed: Pick<StoredOperator, 'id' | 'name' | 'email'> & Grant): Promise<boolean> {
    return (await this.#executor.effect(update, ...changeable.values(changed))).changes === 1
  }

  async rotate(id: string, secretHash: string, previousUntil: number | null): Promise<boolean> {
    return (await this.#executor.effect(rotate, id, secretHash, previousUntil)).changes === 1
  }

  async revoke(id: string, now: number): Promise<boolean> {
    return (await this.#executor.effect(revoke, id, now)).changes === 1
  }

  lasting(): Promise<LastingOperator[]> {
    return this.#executor.read(async (sql) => lastingOperators.readAll(await sql.rows(listLasting)))
  }

  async lockLasting(): Promise<LastingOperator[]> {
    return lastingOperators.readAll((await this.#executor.effect(lockLasting)).rows)
  }

  async touchKeys(uses: ReadonlyMap<string, number>): Promise<void> {
    // Each on its own: a change of an operator locks several rows in another order.
    for (const [id, at] of uses) await this.#executor.effect(touch, id, at)
  }
}
