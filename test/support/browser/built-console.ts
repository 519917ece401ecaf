import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const root = join(import.meta.dirname, '../../..')

/** The built console, as `npm ci` leaves it. */
export const consoleFolder = join(root, 'console/dist')

let isBuilt = false

/**
 * Builds the console unless it is built from the sources as they are now, so that no test sees an older one. Test processes
 * that come meanwhile wait. SQLite's lock stands for the lock that Node has not; the system releases it with the process.
 */
export function buildConsole(): void {
  if (isBuilt) return
  const lock = new DatabaseSync(join(tmpdir(), `tenantry-console${root.replaceAll(/\W/g, '-')}.lock`), {
    timeout: 180_000,
  })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    execFileSync(process.execPath, [join(root, 'console/build.mjs')], { stdio: ['ignore', 'ignore', 'inherit'] })
    isBuilt = true
  } finally {
    lock.close()
  }
}
