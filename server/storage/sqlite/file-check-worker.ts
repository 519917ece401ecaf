import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Reads every page of the database at `workerData`, on a thread apart: a large file takes minutes. Posts whether it is sound. */
const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5_000 })
parentPort!.postMessage(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok')
database.close()
