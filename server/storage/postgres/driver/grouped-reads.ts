import type { Command, StatementCall } from './commands.ts'
import type { PipelineOutcome, PipelineStep, StatementResult } from './pipelined-query.ts'

interface Read {
  readonly step: PipelineStep
  readonly resolve: (result: StatementResult) => void
  readonly reject: (error: unknown) => void
}

/** Reads that share a pipeline: all of one tenant, or all without a tenant. */
interface ReadGroup {
  readonly preamble: readonly StatementCall[]
  readonly reads: Read[]
}

/**
 * The maximum number of reads in a pipeline. The server answers a pipeline as a whole, so its reads together must not
 * take longer than the response timeout of the connection.
 */
const maxReads = 8

/** What a group needs of its connection. */
interface Sender {
  readonly broken: boolean
  trySend(...commands: readonly Command[]): Promise<PipelineOutcome>
}

/**
 * Group read: reads that jobs on a shared connection send in the same tick share a pipeline with one Sync if they have
 * the same preamble. The server starts one transaction for them, enters the tenant once and answers with one message.
 * Each statement still has a separate statement timeout, and sees at least what was committed before it was sent.
 */
export class GroupedReads {
  readonly #connection: Sender
  #groups: ReadGroup[] = []

  constructor(connection: Sender) {
    this.#connection = connection
  }

  /** Sends the read at the end of the tick. */
  add(preamble: readonly StatementCall[], step: PipelineStep): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      if (this.#groups.length === 0) process.nextTick(() => this.#sendAll())
      const read = { step, resolve, reject }
      const group = this.#groups.find((one) => one.reads.length < maxReads && isSame(one.preamble, preamble))
      if (group === undefined) this.#groups.push({ preamble, reads: [read] })
      else group.reads.push(read)
    })
  }

  #sendAll(): void {
    const groups = this.#groups
    this.#groups = []
    for (const group of groups) void this.#send(group)
  }

  async #send({ preamble, reads }: ReadGroup): Promise<void> {
    try {
      const { results, error } = await this.#connection.trySend(...preamble, ...reads.map(({ step }) => step))
      const failed = reads[results.length - preamble.length]
      if (error === undefined)
        for (const [index, read] of reads.entries()) read.resolve(results[preamble.length + index]!)
      // The preamble or the end of the transaction failed, or the connection is lost.
      else if (failed === undefined || this.#connection.broken) rejectAll(reads, error)
      else {
        failed.reject(error)
        // The server skipped those after the error. Under SERIALIZABLE, those before it count only if their transaction
        // commits. So all are sent again; now each is a transaction, and their errors are independent.
        for (const read of reads) if (read !== failed) void this.#send({ preamble, reads: [read] })
      }
    } catch (error) {
      rejectAll(reads, error)
    }
  }
}

const isSame = (one: readonly StatementCall[], other: readonly StatementCall[]): boolean =>
  one.length === other.length &&
  one.every(([statement, parameters], index) => {
    const [otherStatement, otherParameters] = other[index]!
    return statement === otherStatement && parameters.every((value, at) => value === otherParameters[at])
  })

function rejectAll(reads: readonly Read[], error: unknown): void {
  for (const { reject } of reads) reject(error)
}
