import { workerData } from 'node:worker_threads'
import { copySqliteFile } from './sqlite-file.ts'

/** A thread that copies a database file, so that the main thread can show the progress. */
const { path, copy } = workerData as { readonly path: string; readonly copy: string }
copySqliteFile(path, copy)
