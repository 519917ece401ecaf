/** Runs work one at a time, in the order of the calls. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => {}) // The caller has the error.
    return result
  }
}

/** Runs work of the same name one at a time, in the order of the calls. */
export function createQueues(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { readonly run: ReturnType<typeof createQueue>; size: number }>()
  return async (name, work) => {
    const queue = queues.get(name) ?? { run: createQueue(), size: 0 }
    queues.set(name, queue)
    queue.size++
    try {
      return await queue.run(work)
    } finally {
      queue.size--
      if (queue.size === 0) queues.delete(name)
    }
  }
}
