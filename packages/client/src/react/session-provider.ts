import {
  type Context,
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useSyncExternalStore,
} from 'react'
import type { TenantryClient } from '../client.ts'
import type { User } from '../generated/types.ts'
import type { Session, SessionState } from '../session/session.ts'
import { type ConfigurationState, configurationOf, unknownConfiguration } from './configuration.ts'
import { nextFormOf, userOf } from './signed-in.ts'

const SessionContext: Context<Session | null> = createContext<Session | null>(null)

/** The properties of `SessionProvider`. */
export interface SessionProviderProps {
  /** Created once, outside of components: `createSession(client)`. */
  readonly session: Session
  readonly children?: ReactNode
}

/** Gives the session to the hooks of the components inside. */
export function SessionProvider({ session, children }: SessionProviderProps): ReactElement {
  return createElement(SessionContext.Provider, { value: session }, children)
}

/** The session of the nearest provider. */
export function useProvidedSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('no SessionProvider around this component; add one')
  return session
}

/** What `useSession` returns. */
export interface UsedSession {
  readonly state: SessionState
  /** The signed-in user; null while loading and when signed out. */
  readonly user: User | null
  /** The form that the user should complete, for `useProfileForm`; null if there is none. */
  readonly nextForm: string | null
  /** Calls operations as the signed-in user. */
  readonly client: TenantryClient
  readonly signOut: Session['signOut']
}

/** A server knows no user, and the browser's first render must equal the server's. */
const stateOnServer: SessionState = { status: 'loading' }

/** The session of the nearest `SessionProvider`; renders again when its state changes. */
export function useSession(): UsedSession {
  const session = useProvidedSession()
  const state = useSyncExternalStore(
    session.onChange,
    () => session.state,
    () => stateOnServer,
  )
  return { state, user: userOf(state), nextForm: nextFormOf(state), client: session.client, signOut: session.signOut }
}

/** What `useTenantConfiguration` returns. */
export interface UsedTenantConfiguration extends ConfigurationState {
  /** Requests the configuration again. Does not reject: see `error`. */
  reload(): Promise<void>
}

/** The tenant configuration; requested once for all components. Undefined until it arrives. */
export function useTenantConfiguration(): UsedTenantConfiguration {
  const { state, reload } = configurationOf(useProvidedSession())
  return { ...useSyncExternalStore(state.subscribe, state.get, () => unknownConfiguration), reload }
}
