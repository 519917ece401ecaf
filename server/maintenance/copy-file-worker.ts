import { parentPort, workerData } from 'node:worker_threads'
import { copySqliteFile, requireSoundFile } from './sqlite-file.ts'

/** A thread that copies a database file and checks the copy, which has the content of the database. Posts its state. */
const { path, copy, like } = workerData as { readonly path: string; readonly copy: string; readonly like?: string }
copySqliteFile(path, copy, like)
parentPort!.postMessage(requireSoundFile(copy, path))
