import { setTimeout as wait } from 'node:timers/promises'
import { TenantryConnectionError } from '../packages/client/src/admin.ts'
import type { connectionOf } from './connection.ts'
import { readEvents } from './event-stream.ts'
import type { Terminal } from './terminal/terminal.ts'

interface Following {
  readonly terminal: Terminal
  readonly connection: ReturnType<typeof connectionOf>
  /** Of the stream, with its query. */
  readonly path: string
  /** The stream begins after this event. */
  readonly lastId: string
  /** @param data JSON */
  readonly print: (data: string) => void
}

const retryMs = 1000

/** Prints a stream until Ctrl-C. Reconnects after the last printed event, so that a restart of the server loses none. */
export async function followStream({ terminal, connection, path, lastId, print }: Following): Promise<void> {
  const signal = terminal.untilInterrupted()
  const url = new URL(connection.baseUrl.replace(/\/+$/, '') + path)
  const authorization = `Bearer ${connection.adminKey}`
  let last = lastId
  let isAway = false
  while (!signal.aborted) {
    try {
      const headers = { authorization, 'last-event-id': last }
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
