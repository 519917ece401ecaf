import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../storage-error.ts'
import { type ConnectionOptions, PostgresConnection } from './connection.ts'
import { failureOf, NoServerAvailable } from './postgres-error.ts'

export interface ConnectionPoolOptions extends ConnectionOptions {
  /** The maximum number of connections. */
  readonly size: number
  /** The maximum number of jobs that wait for a connection; a group of readers counts as one. The next job is refused. */
  readonly maxWaiting: number
  /** A job that waits longer for a connection is refused, in milliseconds. */
  readonly acquireTimeoutMs: number
}

/** Too many jobs wait for a connection, or none could be opened or was free in time. Nothing was done. */
export class DatabaseBusy extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(1, cause)
  }
}

interface Waiter {
  readonly resolve: (connection: PostgresConnection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** Readers that share a connection. */
interface ReaderGroup {
  members: number
  /** When the first reader came, by `performance.now()`. The whole group times out when the first does. */
  readonly since: number
  readonly connection: Promise<PostgresConnection>
}

const maxGroupSize = 32
/** How long readers join a group that waits for a connection, in milliseconds. It shortens their timeout by that much. */
const joinMs = 100
/** The pause between two attempts to connect to any host, in milliseconds. */
const retryPauseMs = 100

/** A pool of connections to the host that accepts writes. After a failover, new connections find the new primary. */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions
  readonly #idle: PostgresConnection[] = []
  readonly #waiting: Waiter[] = []
  #readers: ReaderGroup | null = null
  #waitingGroups = 0
  #used = 0
  #connecting = 0
  /** The index of the host that accepted writes last. */
  #host = 0
  /** Why connecting failed last; null after a success. */
  #problem: unknown = null
  #closed = false
  #onDrained: (() => void) | null = null

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  get acquireTimeoutMs(): number {
    return this.#options.acquireTimeoutMs
  }

  /** Connections in use, idle connections, and jobs that wait for a connection. */
  get usage(): { readonly used: number; readonly idle: number; readonly waiting: number } {
    return { used: this.#used, idle: this.#idle.length, waiting: this.#waiting.length }
  }

  /**
   * Runs work with exclusive use of a connection. A connection that breaks is replaced.
   * @throws DatabaseBusy when no connection is free in time
   */
  async use<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    acquireTimeoutMs = this.#options.acquireTimeoutMs,
  ): Promise<T> {
    this.#requireOpen()
    const connection = await this.#acquire(acquireTimeoutMs)
    try {
      return await work(connection)
    } finally {
      this.#release(connection)
    }
  }

  /**
   * Runs read-only work, which takes no locks, on a shared connection: readers of the same turn of the event loop share
   * one, so their statements go out in one write. While no connection is free, later readers join them.
   * @throws DatabaseBusy when no connection is free in time
   */
  async share<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    acquireTimeoutMs = this.#options.acquireTimeoutMs,
  ): Promise<T> {
    this.#requireOpen()
    const group = this.#joinGroup(acquireTimeoutMs)
    const connection = await group.connection
    try {
      return await work(connection)
    } finally {
      if (--group.members === 0) this.#release(connection)
    }
  }

  /** Accepts no more work, and resolves when accepted work is done. */
  async close(): Promise<void> {
    this.#closed = true
    for (const connection of this.#idle.splice(0)) connection.close()
    if (this.#isBusy) await new Promise<void>((resolve) => (this.#onDrained = resolve))
  }

  get #isBusy(): boolean {
    return this.#used + this.#connecting + this.#waiting.length + this.#waitingGroups > 0
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error('The storage is closed')
  }

  #joinGroup(acquireTimeoutMs: number): ReaderGroup {
    const isOpen = this.#readers !== null && performance.now() - this.#readers.since < joinMs
    const group = isOpen ? this.#readers! : this.#openGroup(acquireTimeoutMs)
    this.#readers = ++group.members === maxGroupSize ? null : group
    return group
  }

  #openGroup(acquireTimeoutMs: number): ReaderGroup {
    const connection = turn().then(() => this.#acquire(acquireTimeoutMs))
    const group: ReaderGroup = { members: 0, since: performance.now(), connection }
    this.#waitingGroups++
    const close = () => {
      this.#waitingGroups--
      if (this.#readers === group) this.#readers = null
      this.#checkDrained()
    }
    group.connection.then(close, close)
    return group
  }

  async #acquire(acquireTimeoutMs: number): Promise<PostgresConnection> {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.broken) connection.close()
      else {
        this.#used++
        return connection
      }
    }
    // Jobs for which a connection is being opened do not depend on others to finish.
    const queueLength = this.#waiting.length - this.#connecting
    if (queueLength >= this.#options.maxWaiting) throw new DatabaseBusy(this.#problem)
    return new Promise((resolve, reject) => {
      // When this process was suspended or busy, timers run before the answers that arrived meanwhile and free connections.
      const timer = setTimeout(() => setImmediate(() => this.#refuse(waiter)), acquireTimeoutMs)
      const waiter: Waiter = { resolve, reject, timer }
      this.#waiting.push(waiter)
      this.#connectMore()
    })
  }

  /** Refuses a job whose time is over, unless it has got a connection. */
  #refuse(waiter: Waiter): void {
    const index = this.#waiting.indexOf(waiter)
    if (index === -1) return
    this.#waiting.splice(index, 1)
    waiter.reject(new DatabaseBusy(this.#problem))
    this.#checkDrained()
  }

  /** Opens a connection for each waiting job, up to the pool size; only one while no server is available. */
  #connectMore(): void {
    const room = this.#options.size - this.#used - this.#idle.length
    const wanted = Math.min(room, this.#waiting.length, this.#problem === null ? room : 1)
    while (this.#connecting < wanted) void this.#connect()
  }

  async #connect(): Promise<void> {
    this.#connecting++
    try {
      const connection = await this.#connectToAnyHost()
      this.#problem = null
      this.#offer(connection)
    } catch (error) {
      this.#problem = error
      // A server that is down may come back while jobs wait; a wrong password stays wrong. Open connections still work.
      if (failureOf(error) !== 'connection' && this.#used === 0) this.#rejectAll(error)
      await delay(retryPauseMs)
    }
    this.#connecting--
    this.#connectMore()
    this.#checkDrained()
  }

  /** Tries every host once, beginning with the one that accepted writes last. */
  async #connectToAnyHost(): Promise<PostgresConnection> {
    const { hosts } = this.#options.url
    const problems: { at: string; error: unknown }[] = []
    const first = this.#host
    for (let tried = 0; tried < hosts.length; tried++) {
      const index = (first + tried) % hosts.length
      const { host, port } = hosts[index]!
      try {
        const connection = await PostgresConnection.open({ host, port }, this.#options)
        this.#host = index
        return connection
      } catch (error) {
        problems.push({ at: `${host}:${port}`, error })
      }
    }
    throw new NoServerAvailable(problems)
  }

  #release(connection: PostgresConnection): void {
    this.#used--
    if (!connection.broken) this.#offer(connection)
    else {
      // What broke this connection, such as a failover, has usually broken the idle ones too.
      for (const suspect of [connection, ...this.#idle.splice(0)]) suspect.close()
      this.#connectMore()
    }
    this.#checkDrained()
  }

  #offer(connection: PostgresConnection): void {
    const next = this.#waiting.shift()
    if (next !== undefined) {
      clearTimeout(next.timer)
      this.#used++
      next.resolve(connection)
    } else if (this.#closed) connection.close()
    else this.#idle.push(connection)
  }

  #rejectAll(error: unknown): void {
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      reject(error)
    }
  }

  #checkDrained(): void {
    if (this.#closed && !this.#isBusy) this.#onDrained?.()
  }
}
