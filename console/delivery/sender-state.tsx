import { Text } from '@mantine/core'
import type { SenderState } from '../../packages/client/src/admin.ts'
import { State } from '../parts/state.tsx'
import { Time } from '../parts/times/time.tsx'

/**
 * That a sender fails, and why. Nothing for one that is not skipped: it may have failed a few times, or never been tried.
 */
export function StateOfSender({ state }: { readonly state: SenderState | undefined }) {
  if (state === undefined || state.state === 'ok') return null
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
