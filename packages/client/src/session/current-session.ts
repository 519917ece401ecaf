import { TenantryError } from '../errors.ts'
import type { SessionAnswer } from '../generated/types.ts'
import { exclusive, isMarked, mark, pause } from './exclusive.ts'
import type { SessionState } from './session.ts'
import type { SessionStore } from './session-store.ts'
import { isUsable, type StoredSession } from './stored-session.ts'
import { connectTabs, type EndReason } from './tabs.ts'

/** The session of this tab, kept the same as the stored one. */
export interface CurrentSession {
  readonly value: StoredSession | null
  readonly state: SessionState
  /** Resolves when the storage was read. */
  readonly isRead: Promise<unknown>
  /** The session with an access token that can be used; refreshes it if necessary. */
  usable(): Promise<StoredSession | null>
  /** The session with another access token than this one, which the service refused. */
  renewed(accessToken: string): Promise<StoredSession | null>
  /** Reads the storage. */
  sync(): Promise<StoredSession | null>
  start(answer: SessionAnswer): Promise<void>
  end(reason: EndReason): Promise<void>
  /** Changes the session of this user; does nothing if it ended meanwhile. */
  change(userId: string | undefined, values: Partial<StoredSession>): Promise<void>
  onChange(listener: (state: SessionState) => void): () => void
  close(): void
}

/** The code of an error response; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined => (error instanceof TenantryError ? error.code : undefined)

/** Null if the service refused to refresh because the session has ended. Rethrows other errors, which keep the session. */
export function nullIfEnded(error: unknown): null {
  if (['INVALID_REFRESH_TOKEN', 'TOKEN_USER_NOT_FOUND'].includes(codeOf(error)!)) return null
  throw error
}

/**
 * @param storage identifies the sessions that share their tokens in this process
 * @param refresh exchanges a refresh token
 */
export function createCurrentSession(
  store: SessionStore,
  storage: object,
  key: string,
  refresh: (refreshToken: string) => Promise<SessionAnswer>,
): CurrentSession {
  const listeners = new Set<(state: SessionState) => void>()
  let value: StoredSession | null = null
  let state: SessionState = { status: 'loading' }
  /** Counts the changes made here, which a read that began before them must not undo. */
  let changes = 0
  /** Why another tab ended the session. Its message may arrive before the storage shows the end. */
  let announced: EndReason | undefined
  let renewal: Promise<StoredSession | null> | undefined

  function show(session: StoredSession | null, reason?: EndReason): void {
    value = session
    const next = stateOf(session, state, reason)
    // Every field of a state is JSON.
    if (JSON.stringify(next) === JSON.stringify(state)) return
    state = next
    for (const listener of [...listeners]) {
      try {
        listener(state)
      } catch (error) {
        // Reported as uncaught, because the error of a listener must not fail a call.
        setTimeout(() => {
          throw error
        })
      }
    }
  }

  async function sync(reason?: EndReason): Promise<StoredSession | null> {
    announced = reason ?? announced
    const before = changes
    const stored = await store.read()
    if (before === changes) show(stored, announced)
    if (value === null) announced = undefined
    return value
  }

  async function replace(session: StoredSession | null, reason?: EndReason): Promise<void> {
    changes++
    show(session, reason)
    await store.write(session)
    tabs?.announce(reason)
  }

  const start = (answer: SessionAnswer): Promise<void> => replace({ ...answer, receivedAt: Date.now() })
  const end = (reason: EndReason): Promise<void> => replace(null, reason)

  const markOf = ({ refreshToken }: StoredSession): string => key + refreshToken.slice(-22)

  /**
   * Runs a task that depends on the stored session. Browsers may pass a change of `localStorage` on to other tabs after the
   * lock, so the tab that uses a refresh token marks it, and others wait for its successor.
   */
  const alone = <T>(task: (stored: StoredSession | null) => Promise<T>): Promise<T> =>
    exclusive(storage, key, async () => {
      for (;;) {
        const stored = await sync()
        if (stored === null || !(await isMarked(markOf(stored)))) return task(stored)
        await pause(5)
      }
    })

  /** The tokens of another tab if it refreshed them meanwhile, otherwise new ones. */
  async function renew(accessToken: string, used: StoredSession | null): Promise<StoredSession | null> {
    if (used === null || (used.accessToken !== accessToken && isUsable(used))) return used
    const answer = await refresh(used.refreshToken).catch(nullIfEnded)
    // A sign-in or sign-out during the exchange counts, and not the result of the exchange.
    if ((await sync())?.refreshToken === used.refreshToken) {
      await (answer ? start(answer) : end('expired'))
      await mark(markOf(used))
    }
    return value
  }

  function renewed(accessToken: string): Promise<StoredSession | null> {
    renewal ??= alone((stored) => renew(accessToken, stored)).finally(() => {
      renewal = undefined
    })
    return renewal
  }

  const tabs = connectTabs(key, (reason) => void sync(reason))
  const isRead = sync()

  return {
    get value() {
      return value
    },
    get state() {
      return state
    },
    isRead,
    async usable() {
      await isRead
      return value === null || isUsable(value) ? value : renewed(value.accessToken)
    },
    renewed,
    sync,
    start,
    end,
    change: (userId, values) =>
      alone(async (stored) => {
        if (stored !== null && stored.user.id === userId) await replace({ ...stored, ...values })
      }),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      listeners.clear()
      tabs?.close()
    },
  }
}

const nextFormOf = ({ nextForm }: StoredSession) => (nextForm ? { nextForm } : {})

/** The state that follows; a reason given later is more exact than the one inferred. */
function stateOf(session: StoredSession | null, before: SessionState, reason?: EndReason): SessionState {
  if (session !== null) return { status: 'signedIn', user: session.user, ...nextFormOf(session) }
  if (before.status === 'signedOut' && reason === undefined) return before
  return { status: 'signedOut', reason: reason ?? (before.status === 'loading' ? 'none' : 'signedOut') }
}
