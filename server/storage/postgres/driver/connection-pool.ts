import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { DatabaseUnavailable } from '../../storage-error.ts'
import { type ConnectionOptions, PostgresConnection } from './connection.ts'
import { failureOf, NoServerAvailable } from './postgres-error.ts'

/** How many connections there are, and who may wait for one. */
export interface ConnectionPoolOptions extends ConnectionOptions {
  /** At most so many. */
  readonly size: number
  /** At most so many wait for one, readers that share it counted as one; the next is refused. */
  readonly maxWaiting: number
  /** Waiting for longer is refused, in milliseconds. */
  readonly acquireTimeoutMs: number
}

/** Refused at once or after waiting: the database takes no more now. Nothing was done. */
export class DatabaseBusy extends DatabaseUnavailable {
  constructor(cause?: unknown) {
    super(1, cause)
  }
}

interface Waiting {
  readonly resolve: (connection: PostgresConnection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** Readers that share a connection. */
interface Group {
  members: number
  /** When the first came, by `performance.now()`: they wait as long as that one does. */
  readonly since: number
  readonly connection: Promise<PostgresConnection>
}

/** Of more readers the next ones share another connection. */
const groupSize = 32
/** For so long readers join others that wait for a connection, in milliseconds: the patience they lose by it at most. */
const joinMs = 100
/** Between two rounds of asking every host, in milliseconds. */
const pauseMs = 100

/** A pool of connections to whichever host takes writes: after a failover the next connection finds the new one. */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions
  readonly #idle: PostgresConnection[] = []
  readonly #waiting: Waiting[] = []
  #readers: Group | null = null
  #gathering = 0
  #used = 0
  #connecting = 0
  /** The host that took writes last. */
  #host = 0
  /** Why there is no server at the moment; null as far as is known. */
  #problem: unknown = null
  #closed = false
  #drained: (() => void) | null = null

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /** How long work may wait or go on trying, in milliseconds. */
  get acquireTimeoutMs(): number {
    return this.#options.acquireTimeoutMs
  }

  /** Connections in use, idle, and callers that wait for one. */
  get usage(): { readonly used: number; readonly idle: number; readonly waiting: number } {
    return { used: this.#used, idle: this.#idle.length, waiting: this.#waiting.length }
  }

  /**
   * Lends one to the work, and takes it back: a broken one is replaced.
   * @throws DatabaseBusy when there is none within `acquireTimeoutMs`
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
   * As `use`, for work that reads and so waits for nobody: what comes in one turn of the event loop shares a connection,
   * so that its statements travel together, and so does what comes a little later while there is none.
   * @throws DatabaseBusy when there is none within `acquireTimeoutMs`
   */
  async share<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    acquireTimeoutMs = this.#options.acquireTimeoutMs,
  ): Promise<T> {
    this.#requireOpen()
    const group = this.#join(acquireTimeoutMs)
    const connection = await group.connection
    try {
      return await work(connection)
    } finally {
      if (--group.members === 0) this.#release(connection)
    }
  }

  /** Takes no more work, and resolves when what it took is done. */
  async close(): Promise<void> {
    this.#closed = true
    for (const connection of this.#idle.splice(0)) connection.close()
    if (this.#busy) await new Promise<void>((resolve) => (this.#drained = resolve))
  }

  get #busy(): boolean {
    return this.#used + this.#connecting + this.#waiting.length + this.#gathering > 0
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error('The storage is closed')
  }

  #join(acquireTimeoutMs: number): Group {
    const isOpen = this.#readers !== null && performance.now() - this.#readers.since < joinMs
    const group = isOpen ? this.#readers! : this.#gather(acquireTimeoutMs)
    this.#readers = ++group.members === groupSize ? null : group
    return group
  }

  #gather(acquireTimeoutMs: number): Group {
    const connection = turn().then(() => this.#acquire(acquireTimeoutMs))
    const group: Group = { members: 0, since: performance.now(), connection }
    this.#gathering++
    const close = () => {
      this.#gathering--
      if (this.#readers === group) this.#readers = null
      this.#settleClosing()
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
    // Those for whom one is being opened do not wait for others to finish.
    const queue = this.#waiting.length - this.#connecting
    if (queue >= this.#options.maxWaiting) throw new DatabaseBusy(this.#problem)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new DatabaseBusy(this.#problem))
        this.#settleClosing()
      }, acquireTimeoutMs)
      const waiting: Waiting = { resolve, reject, timer }
      this.#waiting.push(waiting)
      this.#connectMore()
    })
  }

  /** For every one who waits, as far as there is room; while no server is known, one asks for all. */
  #connectMore(): void {
    const room = this.#options.size - this.#used - this.#idle.length
    const wanted = Math.min(room, this.#waiting.length, this.#problem === null ? room : 1)
    while (this.#connecting < wanted) void this.#connect()
  }

  async #connect(): Promise<void> {
    this.#connecting++
    try {
      const connection = await this.#findServer()
      this.#problem = null
      this.#offer(connection)
    } catch (error) {
      this.#problem = error
      // Waiting cures a server that is away, not a wrong password.
      if (failureOf(error) !== 'connection') this.#refuseAll(error)
      await delay(pauseMs)
    }
    this.#connecting--
    this.#connectMore()
    this.#settleClosing()
  }

  /** Tries every host once, the one that took writes last first. */
  async #findServer(): Promise<PostgresConnection> {
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
      // What broke this one has mostly broken the others: who is idle is not trusted either.
      for (const doubtful of [connection, ...this.#idle.splice(0)]) doubtful.close()
      this.#connectMore()
    }
    this.#settleClosing()
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

  #refuseAll(error: unknown): void {
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      reject(error)
    }
  }

  #settleClosing(): void {
    if (this.#closed && !this.#busy) this.#drained?.()
  }
}
