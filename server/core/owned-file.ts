import { closeSync, fchownSync, openSync, statSync } from 'node:fs'
import { fileErrorCode } from './file-refusal.ts'

/**
 * Creates an empty file that only its owner can read. Root creates it for the owner of `like`, if given, because the
 * server that uses it may run as another user.
 * @throws Error with the code EEXIST if the file exists
 */
export function createOwnedFile(path: string, like?: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    if (like === undefined || process.geteuid?.() !== 0) return
    const { uid, gid } = statSync(like)
    fchownSync(file, uid, gid)
  } catch (error) {
    // Root of a container without this capability is the user of the server too.
    if (fileErrorCode(error) !== 'EPERM') throw error
  } finally {
    closeSync(file)
  }
}
