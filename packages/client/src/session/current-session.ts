import { TenantryError } from '../errors.ts'
import type { SessionAnswer } from '../generated/types.ts'
import { joined } from '../joined.ts'
import { observable } from '../observable.ts'
import { exclusive, isMarked, mark, pause } from './exclusive.ts'
import type { SessionState } from './session.ts'
import type { SessionStore } from './session-store.ts'
import { isUsable, type StoredSession } from './stored-session.ts'
import { connectTabs, type EndReason, type Tabs } from './tabs.ts'

/** The code of an error response; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined => (error instanceof TenantryError ? error.code : undefined)

/** Null if the service refused to refresh because the session has ended. Rethrows other errors, which keep the session. */
export function nullIfEnded(error: unknown): null {
  if (['INVALID_REFRESH_TOKEN', 'TOKEN_USER_NOT_FOUND'].includes(codeOf(error)!)) return null
  throw error
}

/** What a session of this tab is made of. */
interface CurrentSessionOptions {
  readonly store: SessionStore
  /** Identifies the sessions that share their tokens in this process. */
  readonly storage: object
  readonly key: string
  /** Exchanges a refresh token. */
  readonly refresh: (refreshToken: string) => Promise<SessionAnswer>
}

/** The session of this tab, kept the same as the stored one. */
export class CurrentSession {
  /** Resolves when the storage was read. */
  readonly isRead: Promise<unknown>
  readonly #options: CurrentSessionOptions
  #tabs: Tabs | undefined
  #value: StoredSession | null = null
  readonly #state = observable<SessionState>({ status: 'loading' })
  /** Counts the changes made here, which a read that began before them must not undo. */
  #changes = 0
  /** Why another tab ended the session. Its message may arrive before the storage shows the end. */
  #announced: EndReason | undefined

  constructor(options: CurrentSessionOptions) {
    this.#options = options
    this.#tabs = connectTabs(options.key, (reason) => void this.sync(reason))
    this.isRead = this.sync()
  }

  get value(): StoredSession | null {
    return this.#value
  }

  get state(): SessionState {
    return this.#state.get()
  }

  /** The session with an access token that can be used; refreshes it if necessary. */
  async usable(): Promise<StoredSession | null> {
    await this.isRead
    const session = this.#value
    return session === null || isUsable(session) ? session : this.renewed(session.accessToken)
  }

  /** The session with another access token than this one, which the service refused. */
  readonly renewed: (accessToken: string) => Promise<StoredSession | null> = joined((accessToken) =>
    this.#alone((stored) => this.#renew(accessToken, stored)),
  )

  /**
   * Reads the storage.
   * @param reason why another tab ended the session
   */
  async sync(reason?: EndReason): Promise<StoredSession | null> {
    this.#announced = reason ?? this.#announced
    const before = this.#changes
    const stored = await this.#options.store.read()
    if (before === this.#changes) this.#show(stored, this.#announced)
    if (this.#value === null) this.#announced = undefined
    return this.#value
  }

  start(answer: SessionAnswer): Promise<void> {
    return this.#replace({ ...answer, receivedAt: Date.now() })
  }

  end(reason: EndReason): Promise<void> {
    return this.#replace(null, reason)
  }

  /** Changes the session of this user; does nothing if it ended meanwhile. */
  change(userId: string | undefined, values: Partial<StoredSession>): Promise<void> {
    return this.#alone(async (stored) => {
      if (stored !== null && stored.user.id === userId) await this.#replace({ ...stored, ...values })
    })
  }

  onChange(listener: (state: SessionState) => void): () => void {
    return this.#state.subscribe(listener)
  }

  close(): void {
    this.#state.clear()
    this.#tabs?.close()
    // Calls under way still change the session.
    this.#tabs = undefined
  }

  /**
   * Runs a task that depends on the stored session. Browsers may pass a change of `localStorage` on to other tabs after the
   * lock, so the tab that uses a refresh token marks it, and others wait for its successor.
   */
  #alone<T>(task: (stored: StoredSession | null) => Promise<T>): Promise<T> {
    const { storage, key } = this.#options
    return exclusive(storage, key, async () => {
      for (;;) {
        const stored = await this.sync()
        // A sign-out may have come while the browser answered.
        if (stored === null || !(await isMarked(this.#markOf(stored)))) return task(this.#value)
        await pause(5)
      }
    })
  }

  /** The tokens of another tab if it refreshed them meanwhile, otherwise new ones. */
  async #renew(accessToken: string, used: StoredSession | null): Promise<StoredSession | null> {
    if (used === null || (used.accessToken !== accessToken && isUsable(used))) return used
    const answer = await this.#options.refresh(used.refreshToken).catch(nullIfEnded)
    // A sign-in or sign-out during the exchange counts, and not the result of the exchange.
    if ((await this.sync())?.refreshToken === used.refreshToken) {
      await (answer ? this.start(answer) : this.end('expired'))
      await mark(this.#markOf(used))
    }
    return this.#value
  }

  #markOf({ refreshToken }: StoredSession): string {
    return this.#options.key + refreshToken.slice(-22)
  }

  async #replace(session: StoredSession | null, reason?: EndReason): Promise<void> {
    this.#changes++
    this.#show(session, reason)
    await this.#options.store.write(session)
    this.#tabs?.announce(reason)
  }

  #show(session: StoredSession | null, reason?: EndReason): void {
    this.#value = session
    const next = stateOf(session, this.state, reason)
    // Every field of a state is JSON.
    if (JSON.stringify(next) !== JSON.stringify(this.state)) this.#state.set(next)
  }
}

const nextFormOf = ({ nextForm }: StoredSession) => (nextForm ? { nextForm } : {})

/** The state that follows; a reason given later is more exact than the one inferred. */
function stateOf(session: StoredSession | null, before: SessionState, reason?: EndReason): SessionState {
  if (session !== null) return { status: 'signedIn', user: session.user, ...nextFormOf(session) }
  if (before.status === 'signedOut' && reason === undefined) return before
  return { status: 'signedOut', reason: reason ?? (before.status === 'loading' ? 'none' : 'signedOut') }
}
