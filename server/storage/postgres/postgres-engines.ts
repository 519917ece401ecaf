import type { SchemaDialect } from '../schema-steps.ts'

/** What an engine that speaks PostgreSQL's protocol can do, as far as the engines differ. */
export interface PostgresEngine {
  /** Whether the database keeps tenants apart too (`row-level-security.ts`): unless told otherwise, if told so, or never. */
  readonly rowLevelSecurity: 'on' | 'off' | 'impossible'
  /** How messages that are due are leased: by one statement that locks them, or read first and then each by its own. */
  readonly claims: 'skipping locked rows' | 'one by one'
  /** Whether the WITH of a statement may write. */
  readonly dataModifyingCtes: boolean
  readonly schemaChanges: 'in one transaction' | 'each by itself'
  /** Whether a session may have time-outs, and says whether its server takes writes. */
  readonly sessionTimeouts: boolean
  /** Whether a statement may be planned without its parameters. */
  readonly genericPlans: boolean
  readonly dialect: SchemaDialect
}

/**
 * Rows of tenants refer to nothing: the engines that spread tables over machines know no such references. Texts are
 * compared as SQLite does it, not as the database's language has it: nothing of ours is sorted for people, and an index
 * by a language is no longer in order once an upgrade of the system has changed how that sorts.
 */
export const postgresDialect: SchemaDialect = {
  bigint: 'BIGINT',
  text: 'TEXT COLLATE "C"',
  tableOptions: '',
  tenantReference: '',
  createIndex: 'CREATE INDEX',
  partialIndexes: true,
  columnConstraints: true,
}

const postgresql: PostgresEngine = {
  rowLevelSecurity: 'on',
  claims: 'skipping locked rows',
  dataModifyingCtes: true,
  schemaChanges: 'in one transaction',
  sessionTimeouts: true,
  genericPlans: true,
  dialect: postgresDialect,
}

/** What holds for every engine that spreads its tables over machines. */
const spread: PostgresEngine = {
  ...postgresql,
  rowLevelSecurity: 'off',
  claims: 'one by one',
  schemaChanges: 'each by itself',
  genericPlans: false,
}

/** Of engines that compare texts byte by byte unless told otherwise; to some a text with a collation is another type. */
const bytewise: SchemaDialect = { ...postgresDialect, text: 'TEXT' }

/** By the name in `TENANTRY_DATABASE_ENGINE`; where each trait comes from: docs/guides/distributed-databases.md. */
export const postgresEngines = {
  postgresql,
  citus: { ...spread, rowLevelSecurity: 'impossible', dataModifyingCtes: false },
  cockroachdb: { ...spread, dialect: bytewise },
  yugabytedb: { ...spread, rowLevelSecurity: 'on', dialect: bytewise },
  'aurora-dsql': {
    ...spread,
    rowLevelSecurity: 'impossible',
    dataModifyingCtes: false,
    sessionTimeouts: false,
    dialect: {
      ...bytewise,
      createIndex: 'CREATE INDEX ASYNC IF NOT EXISTS',
      partialIndexes: false,
      columnConstraints: false,
    },
  },
} satisfies Record<string, PostgresEngine>

export type PostgresEngineName = keyof typeof postgresEngines
