import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SqlitePlace } from './place.ts'
import { copySqliteFile, type FileState, makeDurable, requireSoundFile } from './sqlite-file.ts'

/** A backup that was made. */
export interface BackupReport extends FileState {
  readonly file: string
  readonly bytes: number
}

/**
 * Backs a database file up while servers read and write it: what was acknowledged before it began is in it. The file is
 * whole, or not there.
 * @param file absolute path of the backup
 */
export function backUp({ path }: SqlitePlace, file: string): BackupReport {
  if (existsSync(file))
    throw new Error(`${file} is there already, and a backup is never written over: name another file.`)
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
