import { once } from 'node:events'
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { explainFileError, fileErrorCode } from '../core/file-refusal.ts'
import { createOwnedFile } from '../core/owned-file.ts'
import type { SqlitePlace } from './place.ts'
import { copySqliteFile, type FileState, makeDurable, requireSoundFile } from './sqlite-file.ts'

/** A created backup. */
interface BackupReport extends FileState {
  readonly file: string
  readonly bytes: number
}

/** Receives the bytes that are written, and how many are expected. */
type WatchBytes = (done: number, total: number) => void

/**
 * Backs up a database file while servers use it. The backup contains every write acknowledged before it began. It is
 * created atomically.
 * @param file absolute path of the backup
 * @param watch receives the progress; without it no thread is started
 */
export async function backUp({ path }: SqlitePlace, file: string, watch?: WatchBytes): Promise<BackupReport> {
  try {
    return await writeBackup(path, file, watch)
  } catch (error) {
    // What opens the database has explained its errors, so an error of the file system is about the backup.
    const code = fileErrorCode(error)
    if (code === undefined) throw error
    throw new Error(`failed to write ${file} (${code}): ${explainFileError(file, error)}`, { cause: error })
  }
}

async function writeBackup(path: string, file: string, watch: WatchBytes | undefined): Promise<BackupReport> {
  if (existsSync(file)) throw alreadyExists(file)
  const draft = `${file}.${process.pid}.unfinished`
  try {
    // In a container, the process of a backup that was killed had the same id.
    rmSync(draft, { force: true })
    if (watch === undefined) copySqliteFile(path, draft)
    else await copyWatched(path, draft, watch)
    // The copy has the content of the database.
    const state = requireSoundFile(draft, path)
    claim(file)
    renameSync(draft, file)
    makeDurable(dirname(file))
    return { ...state, file, bytes: statSync(file).size }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Of two backups to one file, one gets the name. Not a hard link, which some file systems of backup disks lack. */
function claim(file: string): void {
  try {
    createOwnedFile(file)
  } catch (error) {
    throw fileErrorCode(error) === 'EEXIST' ? alreadyExists(file) : error
  }
}

const alreadyExists = (file: string): Error =>
  new Error(`${file} already exists. Backups never overwrite files; choose another file.`)

const everyMs = 100

/** SQLite copies in one synchronous call, so a thread makes it while this one looks at the size of the new file. */
async function copyWatched(path: string, copy: string, watch: WatchBytes): Promise<void> {
  const total = statSync(path).size
  const report = () => watch(existsSync(copy) ? statSync(copy).size : 0, total)
  const timer = setInterval(report, everyMs)
  try {
    const worker = new Worker(new URL('./copy-file-worker.ts', import.meta.url), { workerData: { path, copy } })
    await once(worker, 'exit')
    report()
  } finally {
    clearInterval(timer)
  }
}
