/** What differs between engines in how a table is declared. */
export interface SchemaDialect {
  /** The type of whole numbers up to 2^53. */
  readonly bigint: string
  /** The type of text, compared byte by byte. */
  readonly text: string
  /** What follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions: string
  /** How a tenant's table refers to its tenant; empty where the reference costs more than it saves. */
  readonly tenantReference: string
  /** What an index begins with: `CREATE INDEX`. */
  readonly createIndex: string
  /** Whether an index may leave out rows. */
  readonly partialIndexes: boolean
  /** Whether a column may be added with NOT NULL and a default. Where not, a step of its own fills it. */
  readonly columnConstraints: boolean
}

/**
 * What leads from a schema to the next; never changed once released. Each of its steps may be done again: what was made
 * is left as it is (`postgres-schema.ts`), and what fills a column fills it where it is empty.
 */
export interface Migration {
  /** Sorts after all earlier ones. */
  readonly id: string
  readonly steps: readonly ((dialect: SchemaDialect) => string)[]
}

const typed = (columns: string, { bigint, text }: SchemaDialect): string =>
  columns.replaceAll('BIGINT', bigint).replaceAll('TEXT', text)

/** A table; `BIGINT`, `TEXT` and `TENANT` (the first column of all tables of tenants) are put as the engine wants them. */
export const table =
  (name: string, body: string) =>
  (dialect: SchemaDialect): string => {
    const columns = body.replace('TENANT', `tenant_id TEXT NOT NULL${dialect.tenantReference}`)
    return `CREATE TABLE ${name} (${typed(columns, dialect)})${dialect.tableOptions}`
  }

/** Messages that were given up; statements that mean to use the index say it in the same words. */
export const unsent = "state IN ('failed', 'cancelled')"

/** Users that housekeeping looks for, and messages that no one-time password leads to; used likewise. */
export const guests = 'guest = 1'
export const notices = 'otp_id IS NULL'

/**
 * Fast digests that are not wrapped: texts that begin with `$digest-` or `$hmac-`, and none of the `$firebase-scrypt`
 * between them. One range, so that an engine without partial indexes reads no other users either.
 */
export const fastDigests =
  "password_hash >= '$digest-' AND password_hash < '$hmac.' AND NOT (password_hash >= '$f' AND password_hash < '$g')"

/** A new column; every statement that inserts into the table names it, for it may have no default. */
export const column =
  (table: string, definition: string, constraints = '') =>
  (dialect: SchemaDialect): string =>
    `ALTER TABLE ${table} ADD COLUMN ${typed(definition, dialect)}${dialect.columnConstraints ? constraints : ''}`

/** An index of all rows. */
export const index =
  (name: string, on: string) =>
  ({ createIndex }: SchemaDialect): string =>
    `${createIndex} ${name} ON ${on}`

/** An index of some rows; where an engine has none such, of all rows, on `full`. */
export const partialIndex =
  (name: string, on: string, condition: string, full = on) =>
  ({ createIndex, partialIndexes }: SchemaDialect): string =>
    `${createIndex} ${name} ON ${partialIndexes ? `${on} WHERE ${condition}` : full}`
