import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SqlitePlace } from './place.ts'
import { copySqliteFile, type FileState, makeDurable, requireSoundFile } from './sqlite-file.ts'

/** A created backup. */
export interface BackupReport extends FileState {
  readonly file: string
  readonly bytes: number
}

/**
 * Backs up a database file while servers use it. The backup contains every write acknowledged before it began. It is
 * created atomically.
 * @param file absolute path of the backup
 */
export function backUp({ path }: SqlitePlace, file: string): BackupReport {
  if (existsSync(file)) throw new Error(`${file} already exists. Backups never overwrite files; choose another file.`)
  const draft = `${file}.${process.pid}.unfinished`
  try {
    copySqliteFile(path, draft)
    const state = requireSoundFile(draft)
    renameSync(draft, file)
    makeDurable(dirname(file))
    return { ...state, file, bytes: statSync(file).size }
  } finally {
    rmSync(draft, { force: true })
  }
}
