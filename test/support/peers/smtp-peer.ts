import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server'
import { listenOnLoopback } from '../loopback.ts'
import type { Certificate } from './certificate.ts'

/** A received message. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers, empty line and body. */
  readonly raw: string
  readonly secure: boolean
  readonly user: string | undefined
}

/** The steps at which a peer can fail. */
export type SmtpStep = 'banner' | 'auth' | 'mail' | 'rcpt' | 'data'

/** A rejection by a peer. */
export interface SmtpRefusal {
  readonly at: SmtpStep
  readonly code: number
  readonly reply?: (received: string) => string
  /** What to reject: an address at `mail` and `rcpt`, the message at `data`. Everything by default. */
  readonly when?: (received: string) => boolean
}

/** The behaviour of a peer; it accepts everything by default. */
export interface SmtpPeerOptions {
  readonly refuse?: SmtpRefusal
  /** Does not answer this step. */
  readonly hangAt?: SmtpStep
  /** Ends the hang; the peer then continues normally. */
  readonly hangUntil?: Promise<void>
  readonly certificate?: Certificate
  /** The delay of every answer in milliseconds. */
  readonly delayMs?: number
  /** Closes the connection instead of answering this step. */
  readonly dropAt?: SmtpStep
  /** Implicit TLS. */
  readonly secure?: boolean
  /** Required before any other command. */
  readonly credentials?: { readonly user: string; readonly password: string }
}

/** An SMTP server on loopback that records accepted messages. */
export interface SmtpPeer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  /** The number of accepted TCP connections. */
  readonly connections: () => number
  readonly openConnections: () => number
  /** Closes every connection. */
  drop(): void
  close(): Promise<void>
}

type Done = (error?: Error | null) => void

/** Starts a server. STARTTLS requires a certificate. */
export async function startSmtpPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const { hangAt, hangUntil, delayMs, dropAt, certificate, secure = false, credentials } = options
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  /** Read at each step, so that a test can change it. */
  const refuses = (at: SmtpStep, text: string) => options.refuse?.at === at && (options.refuse.when?.(text) ?? true)
  /** Answers a step according to the behaviour. */
  function answer(at: SmtpStep, text: string, done: Done): void {
    if (refuses(at, text)) {
      const reply = options.refuse?.reply?.(text) ?? 'no, thank you'
      done(Object.assign(new Error(reply), { responseCode: options.refuse?.code }))
    } else if (dropAt === at) drop()
    else if (hangAt !== at && delayMs !== undefined) setTimeout(done, delayMs)
    else if (hangAt !== at) done()
    else void hangUntil?.then(() => done())
  }
  const server = new SMTPServer({
    ...certificate,
    secure,
    disabledCommands: certificate === undefined || secure ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    noDelay: true, // Its answers to pipelined commands are separate writes: Nagle would hold each for 40 ms.
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    closeTimeout: 20,
    onConnect: (_session, done) => answer('banner', '', done),
    onAuth({ username, password }, _session, done) {
      const isRight = username === credentials?.user && password === credentials?.password
      if (options.refuse?.at === 'auth') return answer('auth', password ?? '', done)
      if (!isRight) return done(Object.assign(new Error(`5.7.8 wrong: ${password}`), { responseCode: 535 }))
      done(null, { user: username })
    },
    onMailFrom: ({ address }, _session, done) => answer('mail', address, done),
    onRcptTo: ({ address }, _session, done) => answer('rcpt', address, done),
    async onData(stream, session, done) {
      // A truncated message was not received.
      const chunks = await Array.fromAsync(stream).catch(() => null)
      if (chunks === null) return
      const raw = Buffer.concat(chunks).toString('utf8')
      if (!refuses('data', raw))
        received.push({ ...envelopeOf(session), raw, secure: session.secure, user: session.user })
      answer('data', raw, done)
    },
  })
  let connections = 0
  server.server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('error', () => {})
  const port = await listenOnLoopback(server.server)
  return {
    port,
    received,
    connections: () => connections,
    openConnections: () => sockets.size,
    drop,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function envelopeOf({ envelope }: SMTPServerSession): { from: string; to: string[] } {
  const { address: from } = envelope.mailFrom as SMTPServerAddress
  return { from, to: envelope.rcptTo.map(({ address }) => address) }
}
