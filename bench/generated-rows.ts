import type { StoredProfileSchema } from '../contract/profile-schema.ts'

/** SQL of rows that the database generates itself: a million users take seconds. */

type Engine = 'sqlite' | 'postgres'

/** SQL that fills an empty database. */
export type Rows = (engine: Engine) => readonly string[]

/** The id of the tenant of a database with one, and of the first of many. */
export const tenantId = '01SEEDTENANT00000000000000'
/** When the rows were created. */
export const createdAt = 1_767_225_600_000

/** The numbers of a range as rows of `n` with the column `i`. */
export const numbers = (engine: Engine, first: number, last: number): string =>
  engine === 'sqlite'
    ? `(WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last}) SELECT i FROM n) AS n`
    : `(SELECT CAST(generate_series(${first}, ${last}) AS BIGINT) AS i) AS n`

/** The number as text with leading zeros. */
export const padded = (engine: Engine, number: string, width: number): string =>
  engine === 'sqlite' ? `printf('%0${width}d', ${number})` : `lpad(CAST(${number} AS TEXT), ${width}, '0')`

/** An id of 26 characters, which sorts by the number. */
export const generatedId = (engine: Engine, letters: string, number: string): string =>
  `'01${letters}' || ${padded(engine, number, 24 - letters.length)}`

/** `generatedId` of one number. */
export const idOf = (letters: string, number: number): string =>
  `01${letters}${String(number).padStart(24 - letters.length, '0')}`

export const emptySchema: StoredProfileSchema = {
  version: '1',
  components: [],
  presentation: [],
  forms: {},
  migrations: [],
}

/** A tenant whose profiles have no fields. */
export const tenantRows = (name: string, at: number): string[] => [
  `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version, created_at, updated_at)
   VALUES ('${tenantId}', '${name}', 0, '[]', 1, '{}', '1', ${at}, ${at})`,
  `INSERT INTO profile_schemas (tenant_id, version, ordinal, content, published_at)
   VALUES ('${tenantId}', '1', 1, '${JSON.stringify(emptySchema)}', ${at})`,
]
