import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Reasons other than permissions, and what to do. */
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a part of this path is a link to a missing file or folder; remove the link, or choose another path',
  EISDIR: 'it is a folder, not a file; remove it, or choose another path',
  ELOOP: 'its links form a loop; choose another path',
  ENOENT: 'its file system has no place for new files here; choose another path',
  ENOSPC: 'the disk is full; free some space',
  ENOTDIR: 'a part of this path is a file, not a folder; choose another path',
  EROFS: 'its file system is read-only; make it writable, or choose another path',
}

/** The code of an error of the file system, such as EACCES; undefined for any other error. */
export const fileErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** Why the file system refused `path` with this error, and what to do: ends a sentence that names the path. */
export function explainFileError(path: string, error: unknown): string {
  const code = fileErrorCode(error)
  if (code === 'EACCES' || code === 'EPERM') return explainAccess(path)
  return reasons[code ?? ''] ?? (error as Error).message
}

/**
 * The content of a file that a setting names, without white space around it.
 * @throws Error with the reason and what to do, if it cannot be read
 */
export function readSecretFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const code = fileErrorCode(error)
    const why = code === 'ENOENT' ? 'create it, or correct the path' : explainFileError(path, error)
    throw new Error(`failed to read ${path} (${code}): ${why}`, { cause: error })
  }
}

/** Who owns what this process may not use. A missing file is refused by its folder, and so is one in a hidden folder. */
function explainAccess(path: string): string {
  let place = path
  let stats = statOf(place)
  while (stats === null && dirname(place) !== place) {
    place = dirname(place)
    stats = statOf(place)
  }
  const it = place === path ? 'it' : place
  const user = process.geteuid?.()
  if (stats === null || user === undefined) return 'this process has no permission; change the permissions of the file'
  if (stats.uid !== user)
    return `${it} belongs to user ${stats.uid}, and this process runs as user ${user}; change the owner, or run as that user`
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
  return `the mode of ${place === path ? 'the file' : place} is ${mode}; run "chmod u+rw${stats.isDirectory() ? 'x' : ''} ${place}"`
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}
