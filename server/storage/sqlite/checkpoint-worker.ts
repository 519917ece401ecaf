import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** The error of a checkpoint. Error objects lose their `errcode` between threads. */
export interface CheckpointFailure {
  readonly message: string
  readonly errcode: number
}

/** Checkpoints the database at `workerData` for each message, and posts the failure or null. */
const database = new DatabaseSync(String(workerData), { timeout: 0 })
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

parentPort!.on('message', () => {
  let failure: CheckpointFailure | null = null
  try {
    checkpoint.get()
  } catch (error) {
    const { message, errcode = 0 } = error as Error & { errcode?: number }
    failure = { message, errcode }
  }
  parentPort!.postMessage(failure)
})
