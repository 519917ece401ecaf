import type { Row, RowReader } from './columns.ts'

/** A named SQL statement that returns rows of type `Row`. */
export interface Statement<Row = unknown> {
  /** Unique; failpoints, errors and tests refer to it. */
  readonly name: string
  /** Portable SQL with parameters `$1..$n`. */
  readonly sql: string
  readonly parameters: number
  /** `tenant`: it reaches the rows of one tenant only. `system`: it reaches across tenants. */
  readonly reach: 'tenant' | 'system'
  /** Whether it writes and returns rows. */
  readonly returning: boolean
  /** Whether rows are arrays in the order of the columns; SQLite takes a third longer to return objects. */
  readonly arrays: boolean
  /** Never set; it carries the type of the rows. */
  readonly row?: Row
}

const registry = new Map<string, Statement>()

/**
 * Defines a statement of one tenant, bound to it by `tenant_id = $k` (in the table `tenants` itself, `id = $1`).
 * With a reader its rows are arrays for that reader; without one they are objects with the columns' names.
 * @throws Error when the name is taken or the parameters are not `$1..$n` without a gap
 */
export function statement<Fields = unknown>(name: string, sql: string): Statement<Fields>
export function statement<T>(name: string, sql: string, reader: RowReader<T>): Statement<Row<T>>
export function statement(name: string, sql: string, reader?: object): Statement {
  return register(name, sql, 'tenant', reader !== undefined)
}

/** Defines a statement that reaches across tenants; otherwise like `statement`. */
export function systemStatement<Fields = unknown>(name: string, sql: string): Statement<Fields>
export function systemStatement<T>(name: string, sql: string, reader: RowReader<T>): Statement<Row<T>>
export function systemStatement(name: string, sql: string, reader?: object): Statement {
  return register(name, sql, 'system', reader !== undefined)
}

/** All statements, for tests of their SQL, their tenant predicates and their query plans. */
export const registeredStatements = (): readonly Statement[] => [...registry.values()]

function register<Row>(name: string, sql: string, reach: Statement['reach'], arrays = false): Statement<Row> {
  if (registry.has(name)) throw new Error(`duplicate statement ${name}; statement names must be unique`)
  const defined: Statement<Row> = {
    name,
    sql: sql.trim(),
    parameters: countParameters(name, sql),
    returning: /\bRETURNING\b/.test(sql),
    reach,
    arrays,
  }
  registry.set(name, defined)
  return defined
}

/** SQLite and PostgreSQL would bind parameters with a gap differently. */
function countParameters(name: string, sql: string): number {
  if (/\?|[:@][a-z]/i.test(sql)) throw new Error(`${name}: invalid parameter; write parameters as $1, $2, ...`)
  const used = new Set(Array.from(sql.matchAll(/\$(\d+)/g), ([, index]) => Number(index)))
  for (let index = 1; index <= used.size; index++) {
    if (!used.has(index))
      throw new Error(`${name}: missing parameter $${index}; number ${used.size} parameters without a gap`)
  }
  return used.size
}
