import type { MessageState as State } from '../../packages/client/src/admin.ts'
import { State as Word } from '../parts/state.tsx'

export const messageStates = {
  queued: { word: 'Queued', tone: 'info' },
  sending: { word: 'Sending', tone: 'info' },
  sent: { word: 'Sent', tone: 'good' },
  failed: { word: 'Failed', tone: 'bad' },
  cancelled: { word: 'Cancelled', tone: 'quiet' },
} as const satisfies Readonly<Record<State, object>>

/** The state of a message in a word. */
export function MessageState({ state }: { readonly state: State }) {
  const { word, tone } = messageStates[state]
  return <Word tone={tone}>{word}</Word>
}
