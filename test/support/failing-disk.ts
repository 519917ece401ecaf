import { closeSync, openSync, realpathSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { compileLibrary } from './preloaded-library.ts'

/** What a disk does wrong. */
export type DiskFault = keyof typeof modes

const modes = {
  none: '-',
  /** The next fsync of the log alone. */
  'one fsync': 'F',
  'write EIO': 'w',
  'write ENOSPC': 'n',
  'write EROFS': 'e',
  'read EIO': 'r',
} as const

/** A disk that fails when it is told to, under the processes that get its environment. */
export interface FailingDisk {
  /** For the process whose database is on it. */
  readonly environment: Readonly<Record<string, string>>
  fail(fault: DiskFault): void
}

/**
 * Compiles a library that makes system calls on the database in `folder` fail, to be preloaded.
 * @returns the reason in place of a disk where there is no C compiler, or no Linux
 */
export async function createFailingDisk(folder: string): Promise<FailingDisk | string> {
  const library = await compileLibrary('failing-disk', folder)
  if ('missing' in library) return library.missing
  const control = join(folder, 'failing-disk.control')
  writeFileSync(control, modes.none)
  return {
    environment: {
      LD_PRELOAD: library.path,
      FAILING_DISK_CONTROL: control,
      FAILING_DISK_PATH: join(realpathSync(folder), 'tenantry.db'),
    },
    fail(fault) {
      // In place: the library has the file mapped.
      const file = openSync(control, 'r+')
      writeSync(file, modes[fault], 0)
      closeSync(file)
    },
  }
}
