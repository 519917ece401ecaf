import type { Parameter } from '../../database.ts'
import type { Statement } from '../../statement.ts'
import type { PipelineStep } from './pipelined-query.ts'

/** What ends a transaction, and what begins one. */
export type TransactionCommand = 'BEGIN' | 'COMMIT' | 'ROLLBACK'

/** A registered statement with what is bound to it. */
export type StatementCall = readonly [statement: Statement, parameters: readonly Parameter[]]

/** What a pipeline consists of. */
export type Command = StatementCall | TransactionCommand

const command = (sql: TransactionCommand): PipelineStep => ({ name: sql, sql, values: [], arrays: false })
export const transactionCommands: Readonly<Record<TransactionCommand, PipelineStep>> = {
  BEGIN: command('BEGIN'),
  COMMIT: command('COMMIT'),
  ROLLBACK: command('ROLLBACK'),
}
