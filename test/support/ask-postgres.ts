import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { StoredRow, StoredValue } from './test-database.ts'

/** A query; several statements are possible only without parameters. */
export interface PostgresQuestion {
  readonly url: string
  readonly sql: string
  readonly parameters: readonly StoredValue[]
}

/** The rows of each statement, or the error. */
export type PostgresAnswer = { readonly rows: StoredRow[][] } | { readonly error: string }

const longestMs = 30_000

let questions: ((question: PostgresQuestion) => PostgresAnswer) | null = null

/**
 * Queries a server and blocks this thread until it answers, so that the services of this process stand still.
 * Throws the server's error, and on a wait for a row lock that such a service holds.
 */
export function askPostgres(url: string, sql: string, parameters: readonly StoredValue[]): StoredRow[][] {
  questions ??= startWorker()
  const answer = questions({ url, sql, parameters })
  if ('error' in answer) throw new Error(`${sql}: ${answer.error}`)
  return answer.rows
}

/** A thread that holds the connections; it ends with the process. */
function startWorker(): (question: PostgresQuestion) => PostgresAnswer {
  const { port1: port, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData = { port: port2, answered }
  new Worker(new URL('postgres-worker.ts', import.meta.url), { workerData, transferList: [port2] }).unref()
  return (question) => {
    Atomics.store(answered, 0, 0)
    port.postMessage(question)
    if (Atomics.wait(answered, 0, 0, longestMs) === 'timed-out') throw new Error(`${question.sql}: no answer`)
    return receiveMessageOnPort(port)!.message
  }
}
