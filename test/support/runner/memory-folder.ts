import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const sharedMemory = '/dev/shm'
const leastFreeBytes = 2 * 1024 ** 3

/**
 * Moves the temporary files of this process and its children to memory, where an fsync costs nothing, and removes them at
 * exit. They stay on disk if TMPDIR is set, or if shared memory is missing, small or closed to executables, as in many
 * containers.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !isUsable()) return
  const folder = mkdtempSync(join(sharedMemory, 'tenantry-tests-'))
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function isUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const options =
      mounts
        .find((line) => line.split(' ')[1] === sharedMemory)
        ?.split(' ')[3]
        ?.split(',') ?? []
    return (
      Math.min(bavail * bsize, process.availableMemory()) >= leastFreeBytes &&
      options.includes('rw') &&
      !options.includes('noexec')
    )
  } catch {
    return false
  }
}
