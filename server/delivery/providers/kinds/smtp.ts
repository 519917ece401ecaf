import { createTransport, type SMTPPoolOptions } from 'nodemailer'
import type { Provider } from '../../provider.ts'
import type { DestinationRules } from '../destination.ts'
import { composeMail, type MailAddress } from '../mail.ts'
import { smtpFailure } from '../smtp-failure.ts'
import { openSocket } from '../smtp-socket.ts'

/** From the first byte (`implicit`), after STARTTLS and never without it, or not at all. */
export type SmtpTls = 'implicit' | 'starttls' | 'off'

/** A server that takes e-mail, and how to sign in there. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly tls: SmtpTls
  /** null: without signing in. */
  readonly credentials: { readonly user: string; readonly password: string } | null
}

/** How long each step may take, in milliseconds. */
export interface SmtpTimeouts {
  /** Look-up, connection, greeting and TLS together. */
  readonly connectMs: number
  readonly greetingMs: number
  /** Without a word of the server. */
  readonly silenceMs: number
}

/** What an SMTP provider is made of. */
export interface SmtpProviderOptions extends SmtpServer, DestinationRules {
  readonly name: string
  /** For messages that bring no address of their own to come from. */
  readonly from: MailAddress | null
  /** Connections at once; 5 unless told. */
  readonly connections?: number | undefined
  /** How many messages a connection carries before it is replaced; 100 unless told. */
  readonly messagesPerConnection?: number | undefined
  /** Certificates to trust instead of the machine's, PEM. */
  readonly ca?: string | undefined
  readonly timeouts?: Partial<SmtpTimeouts> | undefined
}

const shortTimeouts: SmtpTimeouts = { connectMs: 5_000, greetingMs: 5_000, silenceMs: 10_000 }

/**
 * E-mail by SMTP over a pool of connections, encrypted with a verified certificate unless `tls` is off.
 * @throws Error when `tls` is off for a server that must be public: codes do not cross the internet in clear
 */
export function createSmtpProvider({
  name,
  host,
  port,
  tls,
  credentials,
  from,
  connections = 5,
  messagesPerConnection = 1000,
  ca,
  timeouts,
  ...rules
}: SmtpProviderOptions): Provider {
  if (tls === 'off' && !rules.allowPrivate) throw new Error('TLS can be off for a private server only')
  const { connectMs, greetingMs, silenceMs } = { ...shortTimeouts, ...timeouts }
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
    socketTimeout: silenceMs,
    maxConnections: connections,
    maxMessages: messagesPerConnection,
    maxRequeues: 2, // Only for connections the server had dropped before a byte of the message was sent.
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const pool = createTransport(settings)
  const sending = new Set<Promise<unknown>>()

  return {
    name,
    method: 'email',
    async send(message, signal) {
      const sent = pool.sendMail({ ...composeMail(message, from), signal })
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
      pool.close()
      await Promise.allSettled(sending)
    },
  }
}
