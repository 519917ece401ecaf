import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Redis } from 'ioredis'
import { adviseOnTls } from '../core/tls-advice.ts'
import { withTimeout } from '../core/with-timeout.ts'
import { refuseValkeyMode } from './refuse-valkey-mode.ts'
import { slidingLogScript } from './sliding-log-script.ts'
import { tlsWords, type ValkeyAddress } from './valkey-url.ts'

/** The client with the script as a command. */
interface ValkeyClient extends Redis {
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
/** Longer than `connectMs`, so that the result of connecting is known. */
const openMs = 1_000
/** A connection without an answer for this long is replaced. */
const silenceMs = 1_000
const probeEveryMs = 250
/** How long an outage waits to be logged with its reason: a server may be slow, and close connections without one. */
const longestReasonMs = 2_000
const probeKey = 'tenantry:limit-probe'

/** Options of a connection. */
export interface ValkeyOptions {
  readonly logger: FastifyBaseLogger
  /** How long a command may take, in milliseconds; 150. */
  readonly answerMs?: number
}

/**
 * A connection with a circuit breaker. The first command that fails or times out starts an outage: from then on only
 * probes are sent, until one is answered. The start and the end of an outage are logged once each.
 */
export class ValkeyConnection {
  readonly #client: ValkeyClient
  /** The server's host and port, for the log. */
  readonly #at: string
  readonly #logger: FastifyBaseLogger
  readonly #answerMs: number
  /** The latest error of the connection; a failed command only reports that there is no connection. */
  #problem: Error | null = null
  #outage: Promise<void> | null = null
  /** The likely cause when the server resets a new connection. */
  #doubt: string
  /** Whether `#problem` ended a connection before it was ready. */
  #wasNew = false
  #closed = false

  private constructor(address: ValkeyAddress, { logger, answerMs = defaultAnswerMs }: ValkeyOptions) {
    const { tls, ...place } = address
    this.#at = `${address.host}:${address.port}`
    this.#logger = logger
    this.#answerMs = answerMs
    this.#doubt = doubtOf(tls)
    this.#client = new Redis({
      ...place,
      // SNI takes no IP addresses (RFC 6066 3); the certificate is verified for them as well.
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
      // After a failover this is a replica; a new connection finds the primary. Before Redis 7, the reply to a script begins
      // with "ERR Error running script".
      reconnectOnError: ({ message }) => /(?:^|-)READONLY\b/.test(message),
    }) as ValkeyClient
    this.#client.on('error', (error: Error & { command?: { name: string } }) => {
      this.#problem = error
      this.#wasNew = this.#client.status !== 'ready'
      ignoreFurtherErrors(this.#client)
      // The client silently continues with database 0.
      if (error.command?.name === 'select')
        logger.warn({ at: this.#at, reason: error.message }, 'Valkey has no database of this number; using database 0')
    })
    this.#client.on('ready', () => {
      this.#problem = null
      this.#doubt = tooManyClients
    })
  }

  /**
   * Connects; starts with an outage when that takes longer than a second.
   * @throws Error when the server runs in cluster mode or is a Sentinel
   */
  static async open(address: ValkeyAddress, options: ValkeyOptions): Promise<ValkeyConnection> {
    const connection = new ValkeyConnection(address, options)
    await withTimeout(openMs, connection.#client.connect()).catch(() => {})
    // A user without permission for INFO is accepted; the probe shows what is not supported.
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

  /** The result of the command; null during an outage, which a failed command starts. */
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

  /** Whether the connection has ended and the next one has neither failed nor succeeded. */
  get #hasNoReason(): boolean {
    return this.#problem === null && this.#client.status !== 'ready' && !this.#closed
  }

  #reasonOf(problem: Error): string {
    const { message, code } = adviseOnTls(problem, tlsWords) as NodeJS.ErrnoException
    if (noRespType.test(message)) return 'The server does not speak the protocol of Valkey'
    if (message.startsWith("Stream isn't writeable")) return 'The connection is not established yet'
    const isReset = code === 'ECONNRESET' || code === 'EPIPE'
    return isReset && this.#wasNew ? `${message}: ${this.#doubt}` : message
  }

  async #awaitEnd(cause: Error): Promise<void> {
    // Why the server closed a connection is known once the next one fails.
    for (let waited = 0; waited < longestReasonMs && this.#hasNoReason; waited += probeEveryMs)
      await pause(probeEveryMs, undefined, { ref: false })
    if (this.#closed) return
    this.#logger.warn(
      { at: this.#at, reason: this.#reasonOf(this.#problem ?? cause) },
      'Valkey does not answer; each process counts limits alone until it does',
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
    this.#logger.warn('Valkey answers again; limits are shared')
  }
}

/**
 * A socket that rejects the server's certificate has a second error when an alert or invalid bytes of the server follow. The
 * client listens for the first one only, and an error without a listener ends the process.
 */
function ignoreFurtherErrors({ stream }: { readonly stream?: Redis['stream'] }): void {
  if (stream?.listenerCount('error') === 0) stream.on('error', () => {})
}

/** Over the limit, the server says so and closes the connection, and the client may fail to write before it reads that. */
const tooManyClients = "check that the server's maxclients is not reached"

/**
 * With TLS 1.3, a server rejects a client certificate after the handshake (RFC 8446 4.4.2.4): the first command was sent,
 * and the client mostly sees a reset instead of the alert.
 */
function doubtOf(tls: ValkeyAddress['tls']): string {
  if (tls === false) return tooManyClients
  if (tls.cert === undefined)
    return `if the server requires client certificates, add ${tlsWords.clientCertificate} to the URL`
  return 'check that the server trusts the certificate in cert=<file>'
}

/** The client's error for an answer in another protocol. */
const noRespType = /^Unknown RESP type/

/**
 * Runs the limiter's script, including its write: a user without permission for scripts, or a replica, would answer other
 * commands. Always at the time 0; the log expires a minute after the last probe.
 */
const probe = (client: ValkeyClient) => client.countInSlidingLog(probeKey, 0, 1, Number.MAX_SAFE_INTEGER, 'take')
