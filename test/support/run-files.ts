import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { runAfterFile } from './after-file.ts'
import { trackAsync } from './async-tracking.ts'
import { nameOf } from './test-processes.ts'

const fileTimeoutMs = 240_000
const openHandlesMs = 5_000

/**
 * Runs test files one after another in this process. Each file is loaded inside a test, so that its top-level hooks
 * apply to that file only.
 */
export async function runFiles(urls: readonly string[]): Promise<void> {
  let name = ''
  const endProcess = (error: unknown): void => {
    process.stderr.write(`uncaught error in ${name}: ${inspect(error)}\n`)
    process.exit(1)
  }
  process.on('uncaughtException', endProcess)
  process.on('unhandledRejection', endProcess)
  for (const url of urls) {
    name = nameOf(fileURLToPath(url))
    trackAsync(true)
    await test(name, { timeout: fileTimeoutMs }, async (file) => {
      file.after(runAfterFile)
      await import(url)
      trackAsync(false)
    })
  }
  setTimeout(reportOpenHandles, openHandlesMs).unref()
}

/** A server or timer that a test left open would keep this process, and the run, from ending. */
function reportOpenHandles(): void {
  process.stderr.write(`still open after the last test: ${process.getActiveResourcesInfo().join(', ')}\n`)
  process.exit(1)
}
