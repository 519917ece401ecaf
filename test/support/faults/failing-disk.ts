import { closeSync, openSync, realpathSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { compileLibrary } from './preloaded-library.ts'

/** A fault of a disk. */
export type DiskFault = keyof typeof modes

const modes = {
  none: '-',
  /** The next fsync of the log only. */
  'one fsync': 'F',
  /** Every fsync succeeds, 50 ms later. */
  'slow fsync': 's',
  /** An fdatasync of the log blocks until another fault is selected. */
  'blocked fdatasync': 'b',
  'checkpoint EIO': 'd',
  'write EIO': 'w',
  'write ENOSPC': 'n',
  'write EROFS': 'e',
  'read EIO': 'r',
} as const

/** A disk that fails on command, for processes with its environment. */
export interface FailingDisk {
  /** For the process whose database is on it. */
  readonly environment: Readonly<Record<string, string>>
  fail(fault: DiskFault): void
}

/**
 * Compiles a library that makes system calls on the database in `folder` fail, to be preloaded.
 * @returns the reason instead of a disk, without a C compiler or Linux
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
    fail: (fault) => selectFault(control, fault),
  }
}

/** @param control the file of `FAILING_DISK_CONTROL` */
export function selectFault(control: string, fault: DiskFault): void {
  // Written in place, because the library maps the file.
  const file = openSync(control, 'r+')
  writeSync(file, modes[fault], 0)
  closeSync(file)
}
