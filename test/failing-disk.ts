import { execFile } from 'node:child_process'
import { closeSync, openSync, realpathSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

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
  if (process.platform !== 'linux') return 'faults are injected on Linux only'
  const library = join(folder, 'failing-disk.so')
  const source = join(import.meta.dirname, 'failing-disk.c')
  try {
    await promisify(execFile)('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'there is no C compiler (cc) to build the fault injection with'
    throw new Error(`failing-disk.c does not compile: ${message}`)
  }
  const control = join(folder, 'failing-disk.control')
  writeFileSync(control, modes.none)
  return {
    environment: {
      LD_PRELOAD: library,
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
