import { ServiceError } from '../../service-error.ts'
import { PostgresConnection, type PostgresHooks } from './connection.ts'
import type { PostgresUrl } from './postgres-url.ts'

/** How many connections there are, and who may wait for one. */
export interface ConnectionsOptions {
  readonly url: PostgresUrl
  readonly hooks: PostgresHooks
  /** At most so many. */
  readonly size: number
  /** At most so many wait for one; the next is refused. */
  readonly maxWaiting: number
  /** Waiting for longer is refused, in milliseconds. */
  readonly patienceMs: number
}

/** Refused at once or after waiting: the database takes no more now. */
export class DatabaseBusy extends ServiceError {
  constructor(cause?: unknown) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, { cause })
  }
}

interface Waiting {
  readonly resolve: (connection: PostgresConnection) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** A pool of connections to whichever host takes writes: after a failover the next connection finds the new one. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #idle: PostgresConnection[] = []
  readonly #waiting: Waiting[] = []
  #open = 0
  /** The host that took writes last. */
  #host = 0
  #closed = false
  #drained: (() => void) | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  /** Connections in use, idle, and callers that wait for one. */
  get usage(): { readonly used: number; readonly idle: number; readonly waiting: number } {
    return { used: this.#open - this.#idle.length, idle: this.#idle.length, waiting: this.#waiting.length }
  }

  /** Lends one to the work, and takes it back: a broken one is replaced. */
  async use<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire()
    try {
      return await work(connection)
    } finally {
      this.#release(connection)
    }
  }

  /** Takes no more work, and resolves when what it took is done. */
  async close(): Promise<void> {
    this.#closed = true
    for (const connection of this.#idle.splice(0)) this.#discard(connection)
    if (this.#open > 0) await new Promise<void>((resolve) => (this.#drained = resolve))
  }

  #acquire(): Promise<PostgresConnection> {
    if (this.#closed) return Promise.reject(new Error('The storage is closed'))
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (!connection.broken) return Promise.resolve(connection)
      this.#discard(connection)
    }
    if (this.#open < this.#options.size) return this.#connect()
    if (this.#waiting.length >= this.#options.maxWaiting) return Promise.reject(new DatabaseBusy())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new DatabaseBusy())
      }, this.#options.patienceMs)
      const waiting: Waiting = { resolve, reject, timer }
      this.#waiting.push(waiting)
    })
  }

  /** Tries every host once, the one that took writes last first. */
  async #connect(): Promise<PostgresConnection> {
    this.#open++
    const { url, hooks } = this.#options
    let problem: unknown
    for (let tried = 0; tried < url.hosts.length; tried++) {
      const index = (this.#host + tried) % url.hosts.length
      try {
        const connection = await PostgresConnection.open(url, url.hosts[index]!, hooks)
        this.#host = index
        return connection
      } catch (error) {
        problem = error
      }
    }
    this.#open--
    this.#settleClosing()
    throw problem
  }

  #release(connection: PostgresConnection): void {
    const next = this.#waiting.shift()
    if (next !== undefined) clearTimeout(next.timer)
    if (!connection.broken && next !== undefined) next.resolve(connection)
    else if (!connection.broken && !this.#closed) this.#idle.push(connection)
    else {
      this.#discard(connection)
      if (next !== undefined) this.#connect().then(next.resolve, next.reject)
    }
  }

  #discard(connection: PostgresConnection): void {
    this.#open--
    connection.close()
    this.#settleClosing()
  }

  #settleClosing(): void {
    if (this.#closed && this.#open === 0) this.#drained?.()
  }
}
