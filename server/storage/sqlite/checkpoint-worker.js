// JavaScript, because for TypeScript every thread loads its own compiler, which takes 20 MiB.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Checkpoints the database at `workerData` for each message, and posts the `CheckpointFailure` or null. */
const database = new DatabaseSync(String(workerData), { timeout: 0 })
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

parentPort.on('message', () => {
  let failure = null
  try {
    checkpoint.get()
  } catch ({ message, errcode = 0 }) {
    failure = { message, errcode }
  }
  parentPort.postMessage(failure)
})
