import { setTimeout as wait } from 'node:timers/promises'
import { TenantryConnectionError } from '../packages/client/src/admin.ts'
import { readEvents } from './event-stream.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface Following {
  readonly terminal: Terminal
  /** @param lastId undefined before the first event, unless one is given */
  readonly stream: (lastId: string | undefined) => { readonly url: URL; readonly headers: Record<string, string> }
  readonly lastId?: string
  /** @param data JSON */
  readonly print: (data: string) => void
}

const retryMs = 1000

/** Prints a stream until Ctrl-C. Reconnects after the last printed event, so that a restart of the server loses none. */
export async function followStream({ terminal, stream, lastId, print }: Following): Promise<void> {
  const signal = terminal.untilInterrupted()
  let last = lastId
  let isAway = false
  while (!signal.aborted) {
    try {
      const { url, headers } = stream(last)
      for await (const { id, data } of readEvents(url, { headers, signal, onOpen: sayBack })) {
        print(data)
        last = id
      }
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof TenantryConnectionError)) throw error
    }
    if (!isAway) terminal.warn('The connection ended; waiting for the server.\n')
    isAway = true
    await wait(retryMs, undefined, { signal }).catch(() => {}) // The loop ends.
  }

  function sayBack(): void {
    if (isAway) terminal.warn('Connected again.\n')
    isAway = false
  }
}
