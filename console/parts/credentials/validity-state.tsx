import { State } from '../state.tsx'
import { serverNow } from '../times/server-time.ts'
import { type Ending, validityOf } from './validity.ts'

const states = {
  active: <State tone="good">Active</State>,
  ending: <State tone="warn">Ends soon</State>,
  expired: <State tone="quiet">Expired</State>,
  revoked: <State tone="bad">Revoked</State>,
} as const

/** Whether a key or an operator is valid, in a word. */
export const ValidityState = (ending: Ending) => states[validityOf(ending, serverNow())]
