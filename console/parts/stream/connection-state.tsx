import { State } from '../state.tsx'
import type { Connection } from './follow-stream.ts'

/** Whether new items appear at the moment. Announced when it changes. */
export function ConnectionState({
  connection,
  isPaused,
}: {
  readonly connection: Connection
  readonly isPaused: boolean
}) {
  return <output>{stateOf(connection, isPaused)}</output>
}

function stateOf(connection: Connection, isPaused: boolean) {
  if (typeof connection === 'object') return <State tone="bad">Not connected</State>
  if (connection === 'reconnecting') return <State tone="warn">Reconnecting…</State>
  if (isPaused) return <State tone="quiet">Paused</State>
  return connection === 'live' ? <State tone="good">Live</State> : <State tone="quiet">Connecting…</State>
}
