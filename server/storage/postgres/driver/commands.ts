import type { Parameter } from '../../database.ts'
import type { Statement } from '../../statement.ts'
import type { PipelineStep } from './pipelined-query.ts'

type TransactionCommand = 'BEGIN' | 'COMMIT' | 'ROLLBACK'

/** A registered statement and its parameters. */
export type StatementCall = readonly [statement: Statement, parameters: readonly Parameter[]]

/** What a connection sends. A step is a statement that was checked before. */
export type Command = StatementCall | TransactionCommand | PipelineStep

const step = (sql: TransactionCommand): PipelineStep => ({ name: sql, sql, values: [], arrays: false })
export const transactionSteps: Readonly<Record<TransactionCommand, PipelineStep>> = {
  BEGIN: step('BEGIN'),
  COMMIT: step('COMMIT'),
  ROLLBACK: step('ROLLBACK'),
}
