const queues = new WeakMap<object, Promise<unknown>>()

/**
 * Runs one task at a time: in a browser across all tabs, by a Web Lock. Without Web Locks (outside a browser, or on a page
 * without HTTPS), across the tasks of this process that share the storage object.
 */
export function exclusive<T>(storage: object, name: string, task: () => Promise<T>): Promise<T> {
  // Node has Web Locks too, but there one name may stand for the sessions of many users. The origin of a sandboxed frame is
  // 'null', and its locks refuse requests.
  const locks = 'location' in globalThis && globalThis.origin !== 'null' ? globalThis.navigator.locks : undefined
  if (locks) return locks.request(name, task)
  const turn = (queues.get(storage) ?? Promise.resolve()).then(task, task)
  queues.set(storage, turn)
  return turn
}
