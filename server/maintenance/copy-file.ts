import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { endWhenInterrupted } from '../core/end-when-interrupted.ts'
import type { FileState } from './sqlite-file.ts'

/** A copy of a database file. */
interface FileCopy {
  readonly path: string
  readonly copy: string
  /** Root gives the copy the owner of this file or folder. */
  readonly like?: string
}

/** What the command that copies shows and hears. */
export interface CopyWatch {
  /** Receives the bytes that are written, and how many are expected. */
  readonly watch?: (done: number, total: number) => void
  /** Called when the copy begins. Its abort deletes the copy and ends the process. */
  readonly untilInterrupted?: () => AbortSignal
}

const everyMs = 100

/**
 * Copies a database file and checks the copy. SQLite does each in one synchronous call, so a thread makes them, while this
 * one looks at the size of the new file and hears Ctrl-C.
 */
export async function copyFile(work: FileCopy, { watch, untilInterrupted }: CopyWatch): Promise<FileState> {
  const { path, copy } = work
  const total = statSync(path).size
  const report = () => watch?.(existsSync(copy) ? statSync(copy).size : 0, total)
  const timer = setInterval(report, everyMs)
  if (untilInterrupted) endWhenInterrupted(untilInterrupted(), [copy, `${copy}-journal`])
  try {
    const worker = new Worker(new URL('./copy-file-worker.ts', import.meta.url), { workerData: work })
    const ended = once(worker, 'exit')
    const [[state]] = await Promise.all([once(worker, 'message'), ended])
    report()
    return state
  } finally {
    clearInterval(timer)
  }
}
