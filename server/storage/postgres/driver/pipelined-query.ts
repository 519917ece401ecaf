import pg from 'pg'
import type { Parameter } from '../../database.ts'
import {
  type CommandComplete,
  type DataRow,
  ProtocolQuery,
  type ProtocolWriter,
  type RowDescription,
} from './pg-internals.ts'

/** One statement of a pipeline. */
export interface PipelineStep {
  /** The name of its prepared statement on the server. */
  readonly name: string
  readonly sql: string
  readonly values: readonly Parameter[]
  /** Whether rows are arrays in column order. */
  readonly arrays: boolean
}

/** The server's answer to one statement. */
export interface StatementResult {
  /** `SELECT`, `UPDATE`, `COMMIT` and so on. */
  readonly command: string
  // biome-ignore lint/suspicious/noExplicitAny: the type parameter of the statement gives the type of its rows.
  readonly rows: any[]
  /** The number of rows that were changed or read. */
  readonly changes: number
}

/** How a pipeline ended. */
export interface PipelineOutcome {
  /** One for each statement before the one that failed, or for all. */
  readonly results: readonly StatementResult[]
  /** Why the next statement failed; undefined when none did. */
  readonly error?: Error
}

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** A statement that is prepared on the server; its columns are known after the first answer. */
interface Prepared {
  columns: readonly Column[] | null
}

/** The prepared statements of one connection, by name. */
export type PreparedStatements = Map<string, Prepared>

/** `pg` returns BIGINT as a string because it may exceed 2^53. Ours are times in milliseconds and counts. */
const int8 = 20
export const types = {
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text'): ((value: string) => unknown) =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

/** PostgreSQL text cannot contain NUL. No stored value does, so a search for one must find nothing instead of failing. */
const toText = (value: Parameter): string | null => {
  if (typeof value !== 'string') return value === null ? null : String(value)
  return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

/**
 * Several statements with a single Sync at the end: one message, one round trip. The server runs them in order and skips
 * the rest after the first failure. Without BEGIN they form an implicit transaction (PostgreSQL manual, 54.2.4
 * Pipelining). `pg` sends a Sync with every query, and each Sync costs both sides about as much as a small statement.
 */
export class PipelinedQuery extends ProtocolQuery {
  /** Never rejects. */
  readonly outcome: Promise<PipelineOutcome>
  readonly #steps: readonly PipelineStep[]
  readonly #known: PreparedStatements
  /** One for each step. */
  readonly #prepared: Prepared[] = []
  readonly #results: StatementResult[] = []
  #rows: unknown[] = []
  readonly #finish: (outcome: PipelineOutcome) => void

  constructor(steps: readonly PipelineStep[], known: PreparedStatements) {
    super()
    const { promise, resolve } = Promise.withResolvers<PipelineOutcome>()
    this.outcome = promise
    this.#steps = steps
    this.#known = known
    this.#finish = resolve
  }

  protected write(writer: ProtocolWriter): void {
    for (const step of this.#steps) this.#writeStep(writer, step)
    writer.sync()
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#prepared[this.#results.length]!.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID),
    }))
  }

  handleDataRow({ fields }: DataRow): void {
    const columns = this.#prepared[this.#results.length]!.columns!
    this.#rows.push(this.#steps[this.#results.length]!.arrays ? toArray(columns, fields) : toObject(columns, fields))
  }

  handleCommandComplete({ text }: CommandComplete): void {
    this.#prepared[this.#results.length]!.columns ??= []
    const words = text.split(' ')
    const changes = words.length > 1 ? Number(words.at(-1)) : 0
    this.#results.push({ command: words[0]!, rows: this.#rows, changes })
    this.#rows = []
  }

  handleError(error: Error): void {
    // The server does not say which statements it prepared before the failure, so all are prepared again.
    this.#known.clear()
    this.#finish({ results: this.#results, error })
  }

  handleReadyForQuery(): void {
    this.#finish({ results: this.#results })
  }

  #writeStep(writer: ProtocolWriter, { name, sql, values }: PipelineStep): void {
    let prepared = this.#known.get(name)
    if (prepared === undefined) {
      // The server may have prepared it after all. Closing an unknown statement is not an error.
      writer.close({ type: 'S', name })
      writer.parse({ name, text: sql })
      prepared = { columns: null }
      this.#known.set(name, prepared)
    }
    this.#prepared.push(prepared)
    writer.bind({ statement: name, values: values.map(toText) })
    if (prepared.columns === null) writer.describe({ type: 'P' })
    writer.execute()
  }
}

function toArray(columns: readonly Column[], fields: readonly (string | null)[]): unknown[] {
  return fields.map((field, index) => (field === null ? null : columns[index]!.parse(field)))
}

function toObject(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!
    const { name, parse } = columns[index]!
    row[name] = field === null ? null : parse(field)
  }
  return row
}
