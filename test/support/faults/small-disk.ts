import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A file system of 8 MiB. */
interface SmallDisk extends Disposable {
  readonly folder: string
  /** Writes a file until the disk is full. */
  fill(): void
  /** Deletes that file. */
  free(): void
}

/**
 * A file system in memory; null, and the test skipped, without the permission to mount one.
 * @param folder an empty one, which it hides
 */
export function smallDisk(t: TestContext, folder: string): SmallDisk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch {
    t.skip('mounting a small file system requires root')
    return null
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => fill(filler),
    free: () => rmSync(filler),
    [Symbol.dispose]: () => execFileSync('umount', ['--lazy', folder]),
  }
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096)
  try {
    for (;;) writeSync(file, block)
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  } finally {
    closeSync(file)
  }
}
