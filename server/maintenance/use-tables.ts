import type { DatabaseSettings } from '../settings/database-settings.ts'
import { usePostgresSource, usePostgresTarget } from './postgres-tables.ts'
import { useSqliteSource, useSqliteTarget } from './sqlite-tables.ts'
import type { TableDatabase } from './tables.ts'

type Work<T> = (database: TableDatabase) => Promise<T>

/** Runs work with a read-only snapshot of a database. */
export const useSource = <T>(place: DatabaseSettings, work: Work<T>): Promise<T> =>
  place.engine === 'sqlite' ? useSqliteSource(place, work) : usePostgresSource(place, work)

/** Runs work with a writable database. */
export const useTarget = <T>(place: DatabaseSettings, work: Work<T>): Promise<T> =>
  place.engine === 'sqlite' ? useSqliteTarget(place, work) : usePostgresTarget(place, work)
