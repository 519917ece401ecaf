import type { Row, RowReader } from './columns.ts'

/** A prepared text of SQL with a name; `Row` is what it answers with. */
export interface Statement<Row = unknown> {
  /** Unique: what failpoints, errors and tests call it by. */
  readonly name: string
  /** Portable SQL with parameters `$1..$n`. */
  readonly sql: string
  readonly parameters: number
  /** `tenant`: it can reach the rows of one tenant alone. `system`: it is meant to reach across tenants. */
  readonly reach: 'tenant' | 'system'
  /** Whether it writes and answers with rows. */
  readonly returning: boolean
  /** Rows come as arrays in the order of the columns: for the hottest statement, where objects cost a third more. */
  readonly arrays: boolean
  /** Never set; carries the type of the rows. */
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

/** Every statement that is defined, for lint, mutation and query plan tests. */
export const registeredStatements = (): readonly Statement[] => [...registry.values()]

function register<Row>(name: string, sql: string, reach: Statement['reach'], arrays = false): Statement<Row> {
  if (registry.has(name)) throw new Error(`Two statements are called ${name}`)
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

/** n, when the parameters are exactly `$1..$n`: a gap would bind differently in SQLite and in PostgreSQL. */
function countParameters(name: string, sql: string): number {
  if (/\?|[:@][a-z]/i.test(sql)) throw new Error(`${name}: parameters are written $1, $2, ...`)
  const used = new Set(Array.from(sql.matchAll(/\$(\d+)/g), ([, index]) => Number(index)))
  for (let index = 1; index <= used.size; index++) {
    if (!used.has(index)) throw new Error(`${name}: $${index} is missing among ${used.size} parameters`)
  }
  return used.size
}
