import type { ManagedMessage } from '../../packages/client/src/admin.ts'
import { State } from '../parts/state.tsx'

export const messageStates = {
  queued: { word: 'Queued', tone: 'info' },
  sending: { word: 'Sending', tone: 'info' },
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
} as const satisfies Readonly<Record<ManagedMessage['state'], object>>

/** The state of a message in a word. */
export function MessageState({ state }: Pick<ManagedMessage, 'state'>) {
  const { word, tone } = messageStates[state]
  return <State tone={tone}>{word}</State>
}
