import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Checks every page of the database at `workerData` and posts whether it is intact. A large file takes minutes. */
const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5_000 })
parentPort!.postMessage(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok')
database.close()
