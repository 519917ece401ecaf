import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Fate } from './dying-service.ts'

/** `dying-service.ts` in a process of its own. */
export interface DyingProcess {
  readonly baseUrl: string
  /** From now on it dies there. */
  doom(fate: Fate): Promise<void>
  /** The statements of the latest transaction of a request. */
  readonly statements: readonly string[]
  /** How it ended. */
  readonly ended: Promise<NodeJS.Signals | null>
  kill(): Promise<void>
}

export async function startDyingProcess(path: string, adminKey: string, masterKeys: string): Promise<DyingProcess> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'dying-service.ts'), [path, adminKey, masterKeys])
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  const [{ baseUrl }] = await once(child, 'message')
  let statements: readonly string[] = []
  child.on('message', (message: unknown) => {
    if (typeof message === 'object' && message !== null && 'statements' in message) {
      statements = message.statements as string[]
    }
  })
  return {
    baseUrl,
    ended,
    get statements() {
      return statements
    },
    async doom(fate) {
      child.send(fate)
      await once(child, 'message')
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
