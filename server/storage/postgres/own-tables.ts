import { migrations } from '../migrations.ts'
import { postgresDialect } from './postgres-engines.ts'

const names = migrations.flatMap(({ steps }) =>
  steps.flatMap((step) => /^CREATE TABLE (\w+)/.exec(step(postgresDialect))?.[1] ?? []),
)

/** The tables that migrations create, as SQL literals. The schema may have tables and views of the operator, too. */
export const ownTables = names.map((name) => `'${name}'`).join(', ')
