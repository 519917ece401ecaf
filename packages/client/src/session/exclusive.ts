/** By storage object and name, the latest task that waits or runs. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Web Locks, in browsers. Node has them too, but there one name may stand for the sessions of many users. */
const findLocks = (): LockManager | undefined => (globalThis.location ? globalThis.navigator?.locks : undefined)

/**
 * Runs one task at a time: in a browser across all tabs, by a Web Lock. Without Web Locks (outside a browser, or on a page
 * without HTTPS) and where the browser denies them (blocked site data, sandboxed frames), across the tasks of this process
 * that share the storage object and the name.
 */
export async function exclusive<T>(storage: object, name: string, task: () => Promise<T>): Promise<T> {
  let isHeld = false
  const held = (): Promise<T> => {
    isHeld = true
    return task()
  }
  try {
    const locks = findLocks()
    if (locks) return await locks.request(name, held)
  } catch (error) {
    if (isHeld) throw error
  }
  const latest = queues.get(storage) ?? new Map<string, Promise<unknown>>()
  queues.set(storage, latest)
  const turn = (latest.get(name) ?? Promise.resolve()).then(task, task)
  latest.set(name, turn)
  return turn.finally(() => latest.get(name) === turn && latest.delete(name))
}

/** Marks a name for all tabs for ten seconds. Locks are shared at once, unlike `localStorage`. */
export const mark = (name: string): Promise<void> =>
  new Promise((resolve) => {
    const hold = (): Promise<void> => {
      resolve()
      return pause(10_000)
    }
    findLocks()?.request(name, hold).catch(resolve) ?? resolve()
  })

/** Whether a tab has marked the name. */
export const isMarked = async (name: string): Promise<boolean> =>
  (await findLocks()
    ?.request(name, { ifAvailable: true }, (lock) => lock === null)
    .catch(() => false)) ?? false

/** Resolves after a time. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
