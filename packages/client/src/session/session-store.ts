import { TenantryStorageError } from '../errors.ts'
import type { SessionStorage } from './session.ts'
import { parseSession, type StoredSession } from './stored-session.ts'

/** The stored session. Neither method rejects: when the storage fails, the session is kept in memory. */
export interface SessionStore {
  read(): Promise<StoredSession | null>
  write(session: StoredSession | null): Promise<void>
}

/**
 * @param findStorage the storage, or undefined for memory only; called for each access, because a browser that blocks
 *   cookies throws even when `localStorage` is named
 * @param report called when the storage fails for the first time
 */
export function createSessionStore(
  findStorage: () => SessionStorage | undefined,
  key: string,
  report: (error: TenantryStorageError) => void,
): SessionStore {
  let held: StoredSession | null = null
  let isBroken = false
  let isReported = false
  let last: Promise<void> = Promise.resolve()

  /** One access at a time, because an asynchronous storage may complete writes in another order. */
  function inTurn(access: () => Promise<void>): Promise<void> {
    last = last.then(access).catch((cause) => {
      isBroken = true
      // An error of the app's callback is reported as uncaught, because it must not fail the session.
      if (!isReported) queueMicrotask(() => report(new TenantryStorageError(cause)))
      isReported = true
    })
    return last
  }

  return {
    async read() {
      await inTurn(async () => {
        const storage = isBroken ? undefined : findStorage()
        if (storage === undefined) return
        const text = await storage.getItem(key)
        held = parseSession(text)
        if (held === null && text != null) await storage.removeItem(key)
      })
      return held
    },

    write: (session) =>
      inTurn(async () => {
        held = session
        const storage = findStorage()
        try {
          if (session !== null) await storage?.setItem(key, JSON.stringify(session))
        } catch (error) {
          // What is still stored was used before: sent again, its refresh token would end the session.
          await storage?.removeItem(key)
          throw error
        }
        if (session === null) await storage?.removeItem(key)
        isBroken = false
      }),
  }
}

/** `localStorage` in a browser; undefined elsewhere. Deno has one on its disk, for all users alike, but no value in `location`. */
export const defaultStorage = (): SessionStorage | undefined =>
  globalThis.location ? globalThis.localStorage : undefined
