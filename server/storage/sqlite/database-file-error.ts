import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { explainFileError, fileErrorCode } from '../../core/file-refusal.ts'
import {
  faultOf,
  SQLITE_CANTOPEN,
  SQLITE_CORRUPT,
  SQLITE_NOTADB,
  SQLITE_READONLY,
  sqliteResult,
} from './sqlite-error.ts'

/** A database file that this process cannot open. The message says why, and what to do. */
export class DatabaseFileError extends Error {
  override name = 'DatabaseFileError'
}

/** Runs work that opens a database file. SQLite does not say why the system refuses a file, so this does. */
export function explainingFileErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainedFileError(path, error)
  }
}

/** The error with the reason and the action; errors that are not about the file, unchanged. */
export function explainedFileError(path: string, error: unknown): unknown {
  const result = sqliteResult(error)
  if (fileErrorCode(error) === undefined && result === 0) return error
  // SQLite opens a folder and fails later, with an I/O error.
  if (isFolder(path)) return folderError(path)
  const fault = faultOf(error)
  if (fault?.kind === 'full')
    return new DatabaseFileError(`the disk of ${path} is full; free some space`, { cause: error })
  if (isNoDatabase(error))
    return new DatabaseFileError(
      `failed to open the database ${path}: it is damaged or not a SQLite database; restore a backup (docs/guides/backup-and-restore.md), or name another file`,
      { cause: error },
    )
  if (result !== 0 && result !== SQLITE_READONLY && result !== SQLITE_CANTOPEN)
    return fault === null
      ? error
      : new DatabaseFileError(`failed to open the database ${path}: ${fault.message}`, { cause: error })
  const { file, reason } = refusedFile(path) ?? { file: path, reason: error }
  const code = fileErrorCode(reason)
  const about = file === path ? '' : `${file}: `
  return new DatabaseFileError(
    `failed to open the database ${path}${code ? ` (${code})` : ''}: ${about}${explainFileError(file, reason)}`,
    { cause: error },
  )
}

/** @throws DatabaseFileError if the path is a folder */
export function requireNoFolder(path: string): void {
  if (isFolder(path)) throw folderError(path)
}

const folderError = (path: string): DatabaseFileError =>
  new DatabaseFileError(
    `failed to open the database ${path}: it is a folder; name a file, such as ${join(path, 'tenantry.db')}`,
  )

/** Whether SQLite cannot read the file as a database. */
export function isNoDatabase(error: unknown): boolean {
  const result = sqliteResult(error)
  return result === SQLITE_CORRUPT || result === SQLITE_NOTADB
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/**
 * The first file that this process may not use: the database, the files beside it, or their folder. Opening a file to find
 * out would drop the locks of this process when it is closed.
 */
function refusedFile(path: string): { readonly file: string; readonly reason: unknown } | null {
  const { R_OK, W_OK, X_OK } = constants
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}.server-lock`]) {
    try {
      accessSync(file, R_OK | W_OK)
    } catch (reason) {
      if (fileErrorCode(reason) !== 'ENOENT') return { file, reason }
    }
  }
  try {
    accessSync(dirname(path), W_OK | X_OK)
  } catch (reason) {
    // A folder that could not be created is refused by its parent, as the original error says.
    if (fileErrorCode(reason) !== 'ENOENT') return { file: dirname(path), reason }
  }
  return null
}
