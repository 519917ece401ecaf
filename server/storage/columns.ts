type Stored = string | number | null

/** A row in the order of its columns; `T` is what those columns read from it. */
export type Row<T> = readonly Stored[] & { readonly entity?: T }

/** What reads the rows of a statement: the columns that it selects, or a function of several tables' columns. */
export interface RowReader<T> {
  readonly read: (row: Row<T>) => unknown
}

/** A column as a field of type `T` of an entity `E`. */
interface Column<T, E = unknown> {
  /** Null when the database computes the value, which is then read and never written. */
  readonly name: string | null
  /** Its SQL in a statement that calls the table `table`. */
  readonly sql: (table: string) => string
  /** Null when the field holds the stored value unchanged. */
  readonly read: ((stored: never) => T) | null
  readonly write: ((value: T, entity: E) => Stored) | null
}

const plain = (name: string) => ({ name, sql: (table: string) => `${table}.${name}`, read: null, write: null })

export const text = <T extends string | null>(name: string): Column<T> => plain(name)

export const number = <T extends number | null>(name: string): Column<T> => plain(name)

/** A boolean, stored as 0 or 1. */
export const flag = <T extends boolean | null>(name: string): Column<T> => ({
  ...plain(name),
  read: (stored: number | null) => (stored === null ? null : stored === 1) as T,
  write: (value) => (value === null ? null : value ? 1 : 0),
})

/** A structure, stored as JSON text. */
export const json = <T, E = unknown>(
  name: string,
  parse: (text: string) => T = JSON.parse,
  print: (value: T, entity: E) => string = (value) => JSON.stringify(value),
): Column<T, E> => ({
  ...plain(name),
  read: (stored: string | null) => (stored === null ? null : parse(stored)) as T,
  write: (value, entity) => (value === null ? null : print(value, entity)),
})

/** A value that the database computes from the row. */
export const computed = <T>(sql: Column<T>['sql'], read: Column<T>['read'] = null): Column<T> => ({
  name: null,
  sql,
  read,
  write: null,
})

/** A column for each field of an entity: a missing or additional one does not compile. */
export type Definition<T> = { readonly [Field in keyof T]-?: Column<T[Field], T> }

const fieldsOf = <T>(definition: Definition<T>) => Object.entries(definition) as [string, Column<unknown>][]

const declared = new Map<string, Set<string>>()

/** The names of all declared columns by table. */
export const declaredColumns = (): ReadonlyMap<string, ReadonlySet<string>> => declared

/**
 * Declares where a table stores the fields of an entity. This is the only place that lists these columns: statements
 * take their column lists, parameters, readers and writers from here.
 * @throws Error when another declaration has one of the columns
 */
export function columnsOf<T>(table: string, definition: Definition<T>): Columns<T> {
  const names = declared.get(table) ?? new Set()
  for (const [, { name }] of fieldsOf(definition)) {
    if (name === null) continue
    if (names.has(name)) throw new Error(`duplicate column ${table}.${name}; declare it once`)
    names.add(name)
  }
  declared.set(table, names)
  return new Columns(table, definition)
}

/** Some columns of a table, and the entity that they hold. */
export class Columns<T> {
  /** How many values of a row they take. */
  readonly width: number
  /** Reads the entity from a row, where its values begin at `at`. */
  readonly read: (row: Row<T>, at?: number) => T
  /** What to bind for the columns of `insert` or `names`, in their order. */
  readonly values: (entity: T) => Stored[]
  readonly #table: string
  readonly #definition: Definition<T>
  readonly #columns: readonly Column<unknown>[]
  readonly #names: readonly string[]

  constructor(table: string, definition: Definition<T>) {
    this.#table = table
    this.#definition = definition
    this.#columns = fieldsOf(definition).map(([, column]) => column)
    this.#names = this.#columns.flatMap(({ name }) => name ?? [])
    this.width = this.#columns.length
    this.read = compileReader(definition)
    this.values = compileWriter(definition)
  }

  /** For SELECT and RETURNING in a statement that calls the table by its name. */
  get columns(): string {
    return this.#columns.map(({ name, sql }) => name ?? sql(this.#table)).join(', ')
  }

  /** For SELECT in a statement that calls the table `alias`. */
  of(alias: string): string {
    return this.#columns.map(({ sql }) => sql(alias)).join(', ')
  }

  /** The columns that are written. */
  get names(): string {
    return this.#names.join(', ')
  }

  /** SQL for each column that is written, such as its parameter. */
  map(sql: (name: string, index: number) => string): string {
    return this.#names.map(sql).join(', ')
  }

  /** An INSERT into a table without tenants; its parameters are `values`. */
  get insert(): string {
    return `INSERT INTO ${this.#table} (${this.names}) VALUES (${this.map((_, index) => `$${index + 1}`)})`
  }

  /** An INSERT into a table of tenants; its parameters are the tenant's id and `values`. */
  get tenantInsert(): string {
    const parameters = this.map((_, index) => `$${index + 2}`)
    return `INSERT INTO ${this.#table} (tenant_id, ${this.names}) VALUES ($1, ${parameters})`
  }

  readAll(rows: readonly Row<T>[]): T[] {
    return rows.map((row) => this.read(row))
  }

  /** These and other columns of the same table, as one entity. */
  and<U>(other: Columns<U>): Columns<T & U> {
    return new Columns(this.#table, { ...this.#definition, ...other.#definition } as Definition<T & U>)
  }

  /** Some of them. */
  pick<Field extends keyof T>(...fields: readonly Field[]): Columns<Pick<T, Field>> {
    const picked = fields.map((field) => [field, this.#definition[field]])
    return new Columns<Pick<T, Field>>(this.#table, Object.fromEntries(picked))
  }
}

/**
 * Compiles `(row, at = 0) => ({ id: row[at + 0], guest: convert7(row[at + 7]), … })`. A loop over the fields takes
 * eight times as long, because V8 optimizes a property access only if its name is constant. No input of the service
 * gets into the compiled code.
 */
function compileReader<T>(definition: Definition<T>): (row: Row<T>, at?: number) => T {
  const fields = fieldsOf(definition)
  const body = fields.map(([field, { read }], index) => {
    const value = `row[at + ${index}]`
    return `${field}: ${read === null ? value : `convert${index}(${value})`}`
  })
  return compile(
    `(row, at = 0) => ({ ${body.join(', ')} })`,
    fields.map(([, { read }]) => read),
  )
}

/** Compiles `(entity) => [entity.id, convert5(entity.guest, entity), …]`. */
function compileWriter<T>(definition: Definition<T>): (entity: T) => Stored[] {
  const fields = fieldsOf(definition).filter(([, { name }]) => name !== null)
  const body = fields.map(([field, { write }], index) => {
    const value = `entity.${field}`
    return write === null ? value : `convert${index}(${value}, entity)`
  })
  return compile(
    `(entity) => [${body.join(', ')}]`,
    fields.map(([, { write }]) => write),
  )
}

function compile<F>(source: string, converters: readonly unknown[]): F {
  const names = converters.map((_, index) => `convert${index}`)
  return new Function(...names, `return ${source}`)(...converters)
}
