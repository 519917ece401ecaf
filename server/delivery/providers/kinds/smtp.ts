import type { SMTPPoolOptions } from 'nodemailer'
import type { SmtpSettings } from '../../../../contract/senders/smtp.ts'
import type { Provider } from '../../provider.ts'
import type { DestinationRules } from '../destination.ts'
import { composeMail, type MailAddress } from '../mail.ts'
import type { ProviderKind } from '../provider-kind.ts'
import { readSmtpEnvironment } from './smtp-environment.ts'
import { smtpFailure } from './smtp-failure.ts'
import type { SmtpServer } from './smtp-server.ts'
import { openSocket } from './smtp-socket.ts'

/** Timeouts in milliseconds. */
interface SmtpTimeouts {
  /** DNS lookup, connection and TLS handshake together. */
  readonly connectMs: number
  readonly greetingMs: number
  /** Until a connection without work is closed. Within an attempt, only its deadline applies (`send-with-timeout.ts`). */
  readonly idleMs: number
}

export interface SmtpProviderOptions extends SmtpServer, DestinationRules {
  readonly name: string
  /** The From address of messages that have none. */
  readonly from: MailAddress | null
  /** The maximum number of connections; 5 by default. */
  readonly connections?: number | undefined
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | undefined
  readonly timeouts?: Partial<SmtpTimeouts> | undefined
}

const defaultTimeouts: SmtpTimeouts = { connectMs: 5_000, greetingMs: 5_000, idleMs: 10_000 }

/** E-mail through an SMTP server. A tenant's settings cannot turn TLS off. */
export const smtp: ProviderKind<SmtpSettings> = {
  destinationOf: ({ user = '', host }) => `${user}@${host.toLowerCase()}`,

  create({ host, port, secure = port === 465, user, password }, name, _method, { allowPrivate, lookup, ca }) {
    const credentials = user === undefined || password === undefined ? null : { user, password }
    const tls = secure ? 'implicit' : 'starttls'
    return createSmtpProvider({ name, host, port, tls, credentials, from: null, allowPrivate, lookup, ca })
  },

  fromEnvironment(environment) {
    const settings = readSmtpEnvironment(environment)
    // The operator's own server may be in a private network.
    return settings && (() => createSmtpProvider({ ...settings, name: 'smtp', allowPrivate: true }))
  },
}

/**
 * Sends e-mail over a pool of connections, encrypted and with a verified certificate unless `tls` is off.
 * @throws Error when `tls` is off for a server that need not be private: codes must not cross the internet unencrypted
 */
export function createSmtpProvider({
  name,
  host,
  port,
  tls,
  credentials,
  from,
  connections = 5,
  ca,
  timeouts,
  ...rules
}: SmtpProviderOptions): Provider {
  if (tls === 'off' && !rules.allowPrivate) throw new Error('TLS can be off for a private server only')
  const { connectMs, greetingMs, idleMs } = { ...defaultTimeouts, ...timeouts }
  const settings: SMTPPoolOptions & { pool: true } = {
    pool: true,
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'off',
    ...(credentials === null ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    getSocket: (_options, done) => {
      openSocket({ host, port, timeoutMs: connectMs, ...rules }).then(
        (connection) => done(null, { connection }),
        (error) => done(error),
      )
    },
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    idleTimeout: idleMs,
    maxConnections: connections,
    maxMessages: 1000, // Then the connection is replaced.
    maxRequeues: 2, // Applies only to connections that the server dropped before any byte of the message was sent.
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // Loaded with the first message: most processes outside production never send one.
  const openPool = async () => (await import('nodemailer')).createTransport(settings)
  let pool: ReturnType<typeof openPool> | undefined
  const sending = new Set<Promise<unknown>>()

  return {
    name,
    method: 'email',
    connections,
    async send(message, signal) {
      // A failure, such as too many open files, may not last.
      pool ??= openPool().catch((error: unknown) => {
        pool = undefined
        throw error
      })
      const sent = pool.then((open) => open.sendMail({ ...composeMail(message, from), signal }))
      sending.add(sent)
      try {
        await sent
      } catch (error) {
        throw smtpFailure(error, host, message)
      } finally {
        sending.delete(sent)
      }
    },
    async close() {
      await pool?.then(
        (open) => open.close(),
        () => {},
      )
      await Promise.allSettled(sending)
    },
  }
}
