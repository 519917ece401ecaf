import type { DatabaseSettings } from '../settings/database-settings.ts'
import { usePostgresSource, usePostgresTarget } from './postgres-tables.ts'
import { useSqliteSource, useSqliteTarget } from './sqlite-tables.ts'
import type { TableDatabase } from './tables.ts'

type Work<T> = (database: TableDatabase) => Promise<T>

/** Lends the work a database as it is at one moment; nothing can be changed. */
export const useSource = <T>(place: DatabaseSettings, work: Work<T>): Promise<T> =>
  place.engine === 'sqlite' ? useSqliteSource(place, work) : usePostgresSource(place, work)

/** Lends the work a database to change. */
export const useTarget = <T>(place: DatabaseSettings, work: Work<T>): Promise<T> =>
  place.engine === 'sqlite' ? useSqliteTarget(place, work) : usePostgresTarget(place, work)
