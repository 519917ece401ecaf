import pg from 'pg'
import type { Parameter } from '../../database.ts'

/** One statement of a trip, as the server gets it. */
export interface PipelineStep {
  /** What the server knows it by, once it is prepared. */
  readonly name: string
  readonly sql: string
  readonly values: readonly Parameter[]
  /** Whether rows come as arrays in the order of the columns. */
  readonly arrays: boolean
}

/** What the server answered to one statement. */
export interface StatementResult {
  /** `SELECT`, `UPDATE`, `COMMIT` and the like. */
  readonly command: string
  // biome-ignore lint/suspicious/noExplicitAny: what a statement answers with, its type parameter says.
  readonly rows: any[]
  /** Rows that were changed, or read. */
  readonly changes: number
}

/** How a trip ended. */
export interface Outcome {
  /** Of the statements before the one that failed, or of all. */
  readonly answers: readonly StatementResult[]
  /** Why the next one failed; undefined when none has. */
  readonly error?: Error
}

/** A column of an answer. */
interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** A statement that the server knows, with the columns of its rows once an answer has told them. */
interface Prepared {
  columns: readonly Column[] | null
}

/** Those of one connection, by name. */
export type PreparedStatements = Map<string, Prepared>

/** The side of `pg` that is for queries; its types tell only the half of it. */
interface Wire {
  close(message: { type: 'S'; name: string }): void
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly (string | null)[] }): void
  describe(message: { type: 'P' }): void
  execute(): void
  sync(): void
}

/** BIGINT comes as a string, as it might be too large for a number: none here is (times in ms, counts). */
const int8 = 20
export const types = {
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text'): ((value: string) => unknown) =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

/** Text here has no NUL. Nothing that is stored has one either, so that what asks for one finds nothing, as elsewhere. */
const toText = (value: Parameter): string | null => {
  if (typeof value !== 'string') return value === null ? null : String(value)
  return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
}

/**
 * Statements that are answered at once; whoever submits them has them written at once. The server runs them in order, and
 * the first that fails ends the trip. Outside a transaction they are one by themselves (PostgreSQL manual, 54.2.4:
 * pipelining). A query of `pg` is answered by itself, and each answer costs both sides as much as a small statement does.
 *
 * In the mode in which a connection takes further queries before it has answered the first, `pg` takes only its own.
 */
export class PipelinedQuery extends pg.Query {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>
  readonly #steps: readonly PipelineStep[]
  readonly #known: PreparedStatements
  /** Of each step. */
  readonly #prepared: Prepared[] = []
  readonly #done: StatementResult[] = []
  #rows: unknown[] = []
  readonly #end: (outcome: Outcome) => void

  constructor(steps: readonly PipelineStep[], known: PreparedStatements) {
    super('')
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.outcome = promise
    this.#steps = steps
    this.#known = known
    this.#end = resolve
  }

  // A property in the types of `pg`, which a method cannot override; the others that `pg` calls they do not name.
  override submit = (connection: unknown): void => {
    const wire = connection as Wire
    for (const step of this.#steps) this.#write(wire, step)
    wire.sync()
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#prepared[this.#done.length]!.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: types.getTypeParser(dataTypeID),
    }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#prepared[this.#done.length]!.columns!
    this.#rows.push(this.#steps[this.#done.length]!.arrays ? toArray(columns, fields) : toObject(columns, fields))
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#prepared[this.#done.length]!.columns ??= []
    const words = text.split(' ')
    const changes = words.length > 1 ? Number(words.at(-1)) : 0
    this.#done.push({ command: words[0]!, rows: this.#rows, changes })
    this.#rows = []
  }

  handleError(error: Error): void {
    // Which of its statements were prepared before it failed is not told: all are prepared again when they are used.
    this.#known.clear()
    this.#end({ answers: this.#done, error })
  }

  handleReadyForQuery(): void {
    this.#end({ answers: this.#done })
  }

  #write(wire: Wire, { name, sql, values }: PipelineStep): void {
    let prepared = this.#known.get(name)
    if (prepared === undefined) {
      // It may be there after all: what is not there is closed without an error.
      wire.close({ type: 'S', name })
      wire.parse({ name, text: sql })
      prepared = { columns: null }
      this.#known.set(name, prepared)
    }
    this.#prepared.push(prepared)
    wire.bind({ statement: name, values: values.map(toText) })
    if (prepared.columns === null) wire.describe({ type: 'P' })
    wire.execute()
  }
}

function toArray(columns: readonly Column[], fields: (string | null)[]): unknown[] {
  return fields.map((field, index) => (field === null ? null : columns[index]!.parse(field)))
}

function toObject(columns: readonly Column[], fields: (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!
    const { name, parse } = columns[index]!
    row[name] = field === null ? null : parse(field)
  }
  return row
}
