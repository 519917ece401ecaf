import { State } from '../../parts/state.tsx'
import type { ListedVersion } from '../schema-queries.ts'

const states = {
  current: { tone: 'good', word: 'Current' },
  superseded: { tone: 'quiet', word: 'Superseded' },
  building: { tone: 'info', word: 'Building' },
  failed: { tone: 'bad', word: 'Failed' },
} as const

export function VersionState({ state }: { readonly state: ListedVersion['state'] }) {
  return <State tone={states[state].tone}>{states[state].word}</State>
}
