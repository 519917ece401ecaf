// JavaScript, because Node would load its TypeScript compiler for this file: 35 ms, before the cache is on.
import { lstatSync, mkdirSync } from 'node:fs'
// Node before 22 has no enableCompileCache, and would refuse to import it by name before start.js says what it needs.
import nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Caches compiled code in the system's temporary folder: from the second startup on, it takes two thirds of the time. Node runs what
 * it finds there, and all users of a machine can write to the temporary folder. So the cache is in a folder that only this user
 * can write to; where another user has made a folder of this name, there is no cache (threat H06).
 */
export function cacheCode() {
  const folder = ownFolder(tmpdir())
  if (folder !== null) nodeModule.enableCompileCache(folder)
}

/** A folder in `parent` that only this user can write to; null where there is none. Windows has temporary folders by user. */
export function ownFolder(parent) {
  const user = process.getuid?.()
  const folder = join(parent, user === undefined ? 'tenantry-code' : `tenantry-code-${user}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    const isOwn = user === undefined || (found.uid === user && (found.mode & 0o022) === 0)
    return found.isDirectory() && isOwn ? folder : null
  } catch {
    return null
  }
}
