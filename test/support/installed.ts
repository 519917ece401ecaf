import { spawnSync } from 'node:child_process'

/**
 * Whether a program is installed that some checks need. Not asynchronous: a file has no `await` after its first test
 * (test/repository/own-process.test.ts).
 * @param args with which it only prints something
 */
export const isInstalled = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args).status === 0
