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
  let statements: readonly string[] = []
  const baseUrl = await new Promise<string>((listening, reject) => {
    child.on('message', (message: { statements?: string[]; baseUrl?: string }) => {
      if (message.statements !== undefined) statements = message.statements
      if (message.baseUrl !== undefined) listening(message.baseUrl)
    })
    ended.then((signal) => reject(new Error(`The service ended (${signal}) before it listened`)))
  })
  return {
    baseUrl,
    ended,
    get statements() {
      return statements
    },
    async doom(fate) {
      const ready = new Promise<void>((resolve) => {
        child.on('message', (message) => message === 'ready' && resolve())
      })
      child.send(fate)
      await ready
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
