const queues = new WeakMap<object, Promise<unknown>>()

/**
 * Web Locks, in browsers. Node has them too, but there one name may stand for the sessions of many users. The origin of a
 * sandboxed frame is 'null', and its locks refuse requests.
 */
const findLocks = (): LockManager | undefined =>
  'location' in globalThis && globalThis.origin !== 'null' ? globalThis.navigator?.locks : undefined

/**
 * Runs one task at a time: in a browser across all tabs, by a Web Lock. Without Web Locks (outside a browser, or on a page
 * without HTTPS), across the tasks of this process that share the storage object.
 */
export function exclusive<T>(storage: object, name: string, task: () => Promise<T>): Promise<T> {
  const locks = findLocks()
  if (locks) return locks.request(name, task)
  const turn = (queues.get(storage) ?? Promise.resolve()).then(task, task)
  queues.set(storage, turn)
  return turn
}

/** Marks a name for all tabs for ten seconds. Locks are shared at once, unlike `localStorage`. */
export const mark = (name: string): Promise<void> =>
  new Promise((resolve) => {
    const hold = (): Promise<void> => {
      resolve()
      return pause(10_000)
    }
    findLocks()?.request(name, hold) ?? resolve()
  })

/** Whether a tab has marked the name. */
export const isMarked = async (name: string): Promise<boolean> =>
  (await findLocks()?.request(name, { ifAvailable: true }, (lock) => lock === null)) ?? false

/** Resolves after a time. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
