import { after } from 'node:test'

const tasks: (() => unknown)[] = []

/**
 * Runs a task after the last test of the current file. For modules that several test files import: their own top-level
 * hooks would apply to the first file of a process only.
 */
export const afterFile = (task: () => unknown): void => void tasks.push(task)

/** Runs the tasks of the file that is over. */
export async function runAfterFile(): Promise<void> {
  await Promise.all(tasks.splice(0).map((task) => task()))
}

// For a file that runs by itself.
after(runAfterFile)
