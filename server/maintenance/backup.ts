import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { explainFileError, fileErrorCode } from '../core/file-refusal.ts'
import { createOwnedFile } from '../core/owned-file.ts'
import { type CopyWatch, copyFile } from './copy-file.ts'
import type { SqlitePlace } from './place.ts'
import { type FileState, makeDurable } from './sqlite-file.ts'

/** A created backup. */
interface BackupReport extends FileState {
  readonly file: string
  readonly bytes: number
}

/**
 * Backs up a database file while servers use it. The backup contains every write acknowledged before it began. It is
 * created atomically.
 * @param file absolute path of the backup
 */
export async function backUp({ path }: SqlitePlace, file: string, watch: CopyWatch = {}): Promise<BackupReport> {
  try {
    return await writeBackup(path, file, watch)
  } catch (error) {
    // What opens the database has explained its errors, so an error of the file system is about the backup.
    const code = fileErrorCode(error)
    if (code === undefined) throw error
    throw new Error(`failed to write ${file} (${code}): ${explainFileError(file, error)}`, { cause: error })
  }
}

async function writeBackup(path: string, file: string, watch: CopyWatch): Promise<BackupReport> {
  if (existsSync(file)) throw alreadyExists(file)
  const draft = `${file}.${process.pid}.unfinished`
  try {
    // In a container, the process of a backup that was killed had the same id.
    rmSync(draft, { force: true })
    const state = await copyFile({ path, copy: draft }, watch)
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
