import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileErrorCode } from './file-refusal.ts'

/**
 * Creates a folder that only its owner can use, and the missing folders above it; existing ones do not change. The recursive
 * `mkdir` of Node never returns on a file system that answers ENOENT in a folder that exists, such as /proc.
 */
export function createPrivateFolder(path: string): void {
  if (exists(path)) return
  if (dirname(path) !== path) createPrivateFolder(dirname(path))
  try {
    mkdirSync(path, 0o700)
  } catch (error) {
    // Another process has just created it. A link to a missing folder does not exist.
    if (fileErrorCode(error) !== 'EEXIST' || !exists(path)) throw error
  }
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
