import type { Parameter } from '../../database.ts'
import type { Statement } from '../../statement.ts'
import type { Step } from './pipelined-query.ts'

/** What ends a transaction, and what begins one. */
export type Frame = 'BEGIN' | 'COMMIT' | 'ROLLBACK'

/** A registered statement with what is bound to it. */
export type Call = readonly [statement: Statement, parameters: readonly Parameter[]]

const frame = (sql: Frame): Step => ({ name: sql, sql, values: [], arrays: false })
export const frames: Readonly<Record<Frame, Step>> = {
  BEGIN: frame('BEGIN'),
  COMMIT: frame('COMMIT'),
  ROLLBACK: frame('ROLLBACK'),
}
