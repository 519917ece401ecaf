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
 * Defines a statement that is bound to one tenant by `tenant_id = $k` (of the table `tenants` itself, `id = $1`).
 * Throws when the name is taken or the parameters are not `$1..$n` without a gap.
 */
export const statement = <Row = unknown>(name: string, sql: string): Statement<Row> => register(name, sql, 'tenant')

/** Defines a statement that reaches across tenants; refuses what `statement` refuses. */
export const systemStatement = <Row = unknown>(name: string, sql: string): Statement<Row> =>
  register(name, sql, 'system')

/** As `systemStatement`, answering with arrays. */
export const systemArrays = <Row extends readonly unknown[]>(name: string, sql: string): Statement<Row> =>
  register(name, sql, 'system', true)

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
