import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'
import { adviseOnTls } from '../core/tls-trust.ts'
import { refuseValkeyMode } from './refuse-valkey-mode.ts'
import { slidingLogScript } from './sliding-log-script.ts'
import { tlsWords, type ValkeyAddress } from './valkey-url.ts'
import { withTimeout } from './with-timeout.ts'

/** The client with the script as a command. */
export interface ValkeyClient extends Redis {
  countInSlidingLog(
    key: string,
    now: number,
    windowMs: number,
    quota: number,
    act: 'take' | 'peek',
  ): Promise<[admitted: number, size: number, oldest: string]>
}

const defaultAnswerMs = 150
const connectMs = 900
/** A little longer, so that what became of the connection is known. */
const openMs = 1_000
/** A connection that owes an answer for so long is dead: it is replaced. */
const silenceMs = 1_000
const probeEveryMs = 250
const probeKey = 'tenantry:limit-probe'

/** What a connection is told besides where Valkey is. */
export interface ValkeyOptions {
  readonly logger: FastifyBaseLogger
  /** How long a command may take, in milliseconds; 150. */
  readonly answerMs?: number
}

/**
 * A connection that nobody waits for. The first command that fails, or is not answered in time, begins an outage: from then on nothing is sent but probes, until one is answered. The beginning and the end are logged, once each.
 */
export class ValkeyConnection {
  readonly #client: ValkeyClient
  /** Where it leads, for the log. */
  readonly #at: string
  readonly #logger: FastifyBaseLogger
  readonly #answerMs: number
  /** What the connection last said of itself; a command only says that there is none. */
  #problem: Error | null = null
  #outage: Promise<void> | null = null
  /** What may be wrong when the other side breaks off; null once it has not. */
  #doubt: string | null
  #closed = false

  private constructor(address: ValkeyAddress, { logger, answerMs = defaultAnswerMs }: ValkeyOptions) {
    const { tls, ...place } = address
    this.#at = `${address.host}:${address.port}`
    this.#logger = logger
    this.#answerMs = answerMs
    this.#doubt = doubtOf(tls)
    this.#client = new Redis({
      ...place,
      // An address is verified too, but is no name to ask for (RFC 6066 3).
      ...(tls && { tls: { ...tls, ...(isIP(address.host) === 0 && { servername: address.host }) } }),
      scripts: { countInSlidingLog: { lua: slidingLogScript, numberOfKeys: 1 } },
      connectionName: 'tenantry',
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      connectTimeout: connectMs,
      socketTimeout: silenceMs,
      retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
      // After a failover this is a replica: another connection finds the primary.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    }) as ValkeyClient
    this.#client.on('error', (error: Error & { command?: { name: string } }) => {
      this.#problem = error
      // The client goes on with the first, without a word.
      if (error.command?.name === 'select')
        logger.warn({ at: this.#at, reason: error.message }, 'Valkey has no database of that number: 0 is used')
    })
    this.#client.on('ready', () => {
      this.#problem = null
      this.#doubt = null
    })
  }

  /**
   * Connects; when that does not succeed within a second, begins with an outage.
   * @throws Error when the server is of a cluster or a Sentinel
   */
  static async open(address: ValkeyAddress, options: ValkeyOptions): Promise<ValkeyConnection> {
    const connection = new ValkeyConnection(address, options)
    await withTimeout(openMs, connection.#client.connect()).catch(() => {})
    // A user who may not ask is not refused: what such a server cannot do, the probe finds out.
    const info = await withTimeout(openMs, connection.#client.info('server')).catch(() => '')
    try {
      refuseValkeyMode(info)
    } catch (error) {
      await connection.close()
      throw error
    }
    await connection.ask(probe)
    return connection
  }

  /** Whether the next command would be sent. */
  get isUp(): boolean {
    return this.#outage === null && this.#client.status === 'ready'
  }

  /** What the command answers; null during an outage, which a failing command begins. */
  async ask<T>(command: (client: ValkeyClient) => Promise<T>): Promise<T | null> {
    if (this.#outage !== null || this.#closed) return null
    try {
      return await withTimeout(this.#answerMs, command(this.#client))
    } catch (error) {
      this.#outage ??= this.#awaitEnd(error as Error)
      return null
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#client.disconnect()
  }

  #reasonOf(problem: Error): string {
    const { message, code } = adviseOnTls(problem, tlsWords) as NodeJS.ErrnoException
    if (noRespType.test(message)) return 'What answers there does not speak as Valkey does'
    return code === 'ECONNRESET' && this.#doubt !== null ? `${message}: ${this.#doubt}` : message
  }

  async #awaitEnd(cause: Error): Promise<void> {
    if (this.#closed) return
    this.#logger.warn(
      { at: this.#at, reason: this.#reasonOf(this.#problem ?? cause) },
      'Valkey does not answer: each process counts limits by itself until it does',
    )
    for (let answered = false; !answered; ) {
      await pause(probeEveryMs, undefined, { ref: false })
      if (this.#closed) return
      answered = await withTimeout(this.#answerMs, probe(this.#client)).then(
        () => true,
        () => false,
      )
    }
    this.#outage = null
    this.#logger.warn('Valkey answers again: limits are shared')
  }
}

/**
 * The alert that tells what a server has against a client's certificate is mostly lost: by then the first command is on
 * its way (RFC 8446 4.4.2.4), and what is seen is that the connection is reset.
 */
function doubtOf(tls: ValkeyAddress['tls']): string | null {
  if (tls === false) return null
  if (tls.cert === undefined)
    return `if it asks clients for a certificate, name yours by ${tlsWords.clientCertificate} in the URL`
  return 'does it trust the certificate that cert=<file> names?'
}

/** The client on what is no answer of Valkey's. */
const noRespType = /^Unknown RESP type/

/**
 * What limits are counted with, and a write: a user who may run no scripts, and a replica, answer much else. At the time
 * 0 always, for no clock of ours is asked; the log is gone a minute after the last one.
 */
const probe = (client: ValkeyClient) => client.countInSlidingLog(probeKey, 0, 1, Number.MAX_SAFE_INTEGER, 'take')
