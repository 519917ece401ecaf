import type { SchemaDialect } from '../schema-steps.ts'
import { postgresqlSession, type SessionSupport } from './driver/session-settings.ts'

/** The capabilities in which engines that speak PostgreSQL's protocol differ. */
export interface PostgresEngine extends SessionSupport {
  /** Whether the database enforces tenant isolation too (`row-level-security.ts`): by default, on request, or never. */
  readonly rowLevelSecurity: 'on' | 'off' | 'impossible'
  /** How due messages are leased: by one statement that locks them, or by reading them and then updating each. */
  readonly claims: 'skipping locked rows' | 'one by one'
  /** Whether transactions can share the lock of a row. */
  readonly sharedRowLocks: boolean
  /** Whether data-modifying statements are allowed in WITH. */
  readonly dataModifyingCtes: boolean
  readonly schemaChanges: 'in one transaction' | 'each by itself'
  readonly dialect: SchemaDialect
}

/**
 * Tenants' tables have no foreign keys, because distributed engines do not support them. Texts are compared byte by byte,
 * as SQLite does, and not by the database's locale: nothing here is sorted for people, and an operating system upgrade
 * that changes a locale's order corrupts the indexes that use it.
 */
export const postgresDialect: SchemaDialect = {
  bigint: 'BIGINT',
  text: 'TEXT COLLATE "C"',
  tableOptions: '',
  tenantReference: '',
  createIndex: 'CREATE INDEX',
  partialIndexes: true,
  rowIds: false,
  columnConstraints: true,
}

const postgresql: PostgresEngine = {
  ...postgresqlSession,
  rowLevelSecurity: 'on',
  claims: 'skipping locked rows',
  sharedRowLocks: true,
  dataModifyingCtes: true,
  schemaChanges: 'in one transaction',
  dialect: postgresDialect,
}

/** What all engines that distribute tables over machines have in common. */
const distributed: PostgresEngine = {
  ...postgresql,
  rowLevelSecurity: 'off',
  claims: 'one by one',
  sharedRowLocks: false,
  schemaChanges: 'each by itself',
  genericPlans: false,
  rowSecurity: false,
}

/** For engines that compare texts byte by byte by default. Some treat a text with a collation as another type. */
const bytewise: SchemaDialect = { ...postgresDialect, text: 'TEXT' }

/** By their names in `TENANTRY_DATABASE_ENGINE`. docs/guides/distributed-databases.md gives the source of each trait. */
export const postgresEngines = {
  postgresql,
  citus: { ...distributed, rowLevelSecurity: 'impossible', dataModifyingCtes: false },
  cockroachdb: { ...distributed, dialect: bytewise },
  yugabytedb: { ...distributed, rowLevelSecurity: 'on', rowSecurity: true, dialect: bytewise },
  'aurora-dsql': {
    ...distributed,
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
