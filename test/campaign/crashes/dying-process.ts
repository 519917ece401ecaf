import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { CrashPoint } from './dying-service.ts'

/** `dying-service.ts` in a separate process. */
export interface DyingProcess {
  readonly baseUrl: string
  /** Makes the process die at this point from now on. */
  crashAt(crashPoint: CrashPoint): Promise<void>
  /** The statements of the latest transaction of a request. */
  readonly statements: readonly string[]
  /** The signal that ended it. */
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
    ended.then((signal) => reject(new Error(`service ended (${signal}) before it listened`)))
  })
  return {
    baseUrl,
    ended,
    get statements() {
      return statements
    },
    async crashAt(crashPoint) {
      const ready = new Promise<void>((resolve) => {
        child.on('message', (message) => message === 'ready' && resolve())
      })
      child.send(crashPoint)
      await ready
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
