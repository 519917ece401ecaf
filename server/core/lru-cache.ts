/** A cache that drops the least recently used entries above its capacity, but never the one that was set last. */
export class LruCache<V> {
  readonly #capacity: number
  readonly #sizeOf: (value: V, key: string) => number
  /** Least recently used first: maps iterate in the order of insertion. */
  readonly #entries = new Map<string, V>()
  #size = 0

  /** @param sizeOf an entry's part of the capacity, which must not change while it is cached; 1 unless given */
  constructor(capacity: number, sizeOf: (value: V, key: string) => number = () => 1) {
    this.#capacity = capacity
    this.#sizeOf = sizeOf
  }

  /** The sum of the sizes of all entries. */
  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** Like `get`, but does not count as a use. */
  peek(key: string): V | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: V): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#size += this.#sizeOf(value, key)
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity || oldest === key) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#size -= this.#sizeOf(value, key)
  }

  values(): Iterable<V> {
    return this.#entries.values()
  }
}
