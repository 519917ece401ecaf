import { Text } from '@mantine/core'
import type { SenderState } from '../../packages/client/src/admin.ts'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/times/time.tsx'

/** Whether a sender works, and if not, why. Nothing when it is not known. */
export function StateOfSender({ state }: { readonly state: SenderState | undefined }) {
  if (state === undefined) return null
  if (state.state === 'ok') return <State tone="good">Works</State>
  return (
    <>
      <State tone="bad">Fails</State>
      <Text span size="xs" c="var(--bad-text)" style={{ overflowWrap: 'anywhere' }}>
        {state.lastError}
        {state.until !== null && (
          <>
            {' '}
            Tried again <Time at={state.until} />.
          </>
        )}
      </Text>
    </>
  )
}
