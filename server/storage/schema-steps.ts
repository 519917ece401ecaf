/** How an engine declares tables. */
export interface SchemaDialect {
  /** The type of whole numbers up to 2^53. */
  readonly bigint: string
  /** The type of text, compared byte by byte. */
  readonly text: string
  /** Follows the closing parenthesis of CREATE TABLE. */
  readonly tableOptions: string
  /** The foreign key of `tenant_id`; empty where it costs more than it saves. */
  readonly tenantReference: string
  /** Such as `CREATE INDEX`. */
  readonly createIndex: string
  /** Whether the engine has partial indexes. */
  readonly partialIndexes: boolean
  /** Whether tables have row ids (`rowid`), which rise as rows are added and find them without an index. */
  readonly rowIds: boolean
  /** Whether a column can be added with NOT NULL and a default. If not, a separate step fills it. */
  readonly columnConstraints: boolean
}

/**
 * One change of the schema; never edited after its merge. Its steps can be repeated: existing objects are skipped
 * (`postgres-schema.ts`), and a step that fills a column fills only empty values.
 */
export interface Migration {
  /** Sorts after all earlier ids. */
  readonly id: string
  /** Each returns SQL; empty where the engine needs none. */
  readonly steps: readonly ((dialect: SchemaDialect) => string)[]
}

/** The SQL of a migration on an engine. */
export const stepsOn = (dialect: SchemaDialect, { steps }: Migration): string[] =>
  steps.map((step) => step(dialect)).filter((sql) => sql !== '')

/** A step for engines whose tables have row ids. */
export const withRowIds =
  (step: (dialect: SchemaDialect) => string) =>
  (dialect: SchemaDialect): string =>
    dialect.rowIds ? step(dialect) : ''

const typed = (columns: string, { bigint, text }: SchemaDialect): string =>
  columns.replaceAll('BIGINT', bigint).replaceAll('TEXT', text)

/** A table. `BIGINT`, `TEXT` and `TENANT`, the tenant's id, are replaced by the engine's types. */
export const table =
  (name: string, body: string) =>
  (dialect: SchemaDialect): string => {
    const columns = body.replace('TENANT', `tenant_id TEXT NOT NULL${dialect.tenantReference}`)
    return `CREATE TABLE ${name} (${typed(columns, dialect)})${dialect.tableOptions}`
  }

/** Messages that will not be sent. Statements use the partial index only when they repeat this condition exactly. */
export const unsent = "state IN ('failed', 'cancelled')"

/**
 * Conditions of two more partial indexes: users that housekeeping deletes when idle, and messages without a one-time
 * password.
 */
export const guests = 'guest = 1'
export const notices = 'otp_id IS NULL'

/** The conditions of the partial indexes of users by state. A suspension or restriction that has ended is still stored. */
export const userStates = {
  suspended: 'suspension IS NOT NULL',
  restricted: "restricted_capabilities <> '[]'",
  guest: guests,
  unverified: 'guest = 0 AND email_verified_at IS NULL AND phone_verified_at IS NULL',
} as const

/** Messages in the testing channel's inbox. */
export const isPosted = 'place IS NOT NULL'

/** Events of an actor about someone or something else. Those about the actor are found as such. */
export const aboutAnother = "actor_id <> COALESCE(subject_id, '')"

/** Batches of events with all their rows, and those with rows of operators' acts only. */
export const unpurged = 'purged_at IS NULL'
export const partlyPurged = 'kept > 0'

/**
 * Fast digests that are not wrapped: they begin with `$digest-` or `$hmac-`, and `$firebase-scrypt` sorts between them.
 * The condition is one range, so that an engine without partial indexes reads no other users.
 */
export const fastDigests =
  "password_hash >= '$digest-' AND password_hash < '$hmac.' AND NOT (password_hash >= '$f' AND password_hash < '$g')"

/** A new column. Every INSERT into the table names it, because it may have no default. */
export const column =
  (table: string, definition: string, constraints = '') =>
  (dialect: SchemaDialect): string =>
    `ALTER TABLE ${table} ADD COLUMN ${typed(definition, dialect)}${dialect.columnConstraints ? constraints : ''}`

/** Removes an index that an earlier migration created. */
export const dropIndex = (name: string) => (): string => `DROP INDEX IF EXISTS ${name}`

/** An index of all rows. */
export const index =
  (name: string, on: string) =>
  ({ createIndex }: SchemaDialect): string =>
    `${createIndex} ${name} ON ${on}`

/** A partial index; on an engine without them, an index of all rows on `full`. */
export const partialIndex =
  (name: string, on: string, condition: string, full = on) =>
  ({ createIndex, partialIndexes }: SchemaDialect): string =>
    `${createIndex} ${name} ON ${partialIndexes ? `${on} WHERE ${condition}` : full}`
