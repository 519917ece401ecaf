import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { StoredRow, StoredValue } from './test-database.ts'

/** What is asked: several statements only without parameters. */
export interface PostgresQuestion {
  readonly url: string
  readonly sql: string
  readonly parameters: readonly StoredValue[]
}

/** The rows of each statement, or why there are none. */
export type PostgresAnswer = { readonly rows: StoredRow[][] } | { readonly error: string }

const longestMs = 30_000

let questions: ((question: PostgresQuestion) => PostgresAnswer) | null = null

/**
 * Asks a server and holds this thread until it answers: the services of this process stand still meanwhile.
 * Throws what the server refuses with, and when a lock of such a service is waited for.
 */
export function askPostgres(url: string, sql: string, parameters: readonly StoredValue[]): StoredRow[][] {
  questions ??= startWorker()
  const answer = questions({ url, sql, parameters })
  if ('error' in answer) throw new Error(`${sql}: ${answer.error}`)
  return answer.rows
}

/** A thread that has the connections; it ends with the process. */
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
