import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerAddress, type SMTPServerSession } from 'smtp-server'
import type { Certificate } from './certificate.ts'

/** A message as it arrived. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** All of it: headers, empty line, body. */
  readonly raw: string
  readonly secure: boolean
  readonly user: string | undefined
}

/** Steps at which a peer can misbehave. */
export type SmtpStep = 'banner' | 'auth' | 'mail' | 'rcpt' | 'data'

/** What a peer refuses, and how. */
export interface SmtpRefusal {
  readonly at: SmtpStep
  readonly code: number
  readonly reply?: (received: string) => string
  /** Refuses what this is true of: an address at `mail` and `rcpt`, the message at `data`. Everything unless given. */
  readonly when?: (received: string) => boolean
}

/** How a peer behaves; takes everything when nothing is said. */
export interface SmtpPeerOptions {
  readonly refuse?: SmtpRefusal
  /** Never answers this step. */
  readonly hangAt?: SmtpStep
  /** Ends the hanging: then it goes on as if nothing had been. */
  readonly hangUntil?: Promise<void>
  readonly certificate?: Certificate
  /** Answers every step this much later, in milliseconds. */
  readonly delayMs?: number
  /** Hangs up instead of answering this step. */
  readonly dropAt?: SmtpStep
  /** TLS from the first byte. */
  readonly secure?: boolean
  /** Wanted before anything else. */
  readonly credentials?: { readonly user: string; readonly password: string }
}

/** A real SMTP server on loopback that notes what it takes. */
export interface SmtpPeer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  /** TCP connections it has seen. */
  readonly connections: () => number
  /** Hangs up on everybody. */
  drop(): void
  close(): Promise<void>
}

type Done = (error?: Error | null) => void

/** Starts one. Without a certificate it knows no STARTTLS. */
export async function startSmtpPeer(options: SmtpPeerOptions = {}): Promise<SmtpPeer> {
  const { hangAt, hangUntil, delayMs, dropAt, certificate, secure = false, credentials } = options
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  /** Looked up at each step: a test may change it. */
  const refuses = (at: SmtpStep, text: string) => options.refuse?.at === at && (options.refuse.when?.(text) ?? true)
  /** Answers a step as this peer is told to. */
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
      // Cut off in the middle, it has not arrived.
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    received,
    connections: () => connections,
    drop,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function envelopeOf({ envelope }: SMTPServerSession): { from: string; to: string[] } {
  const { address: from } = envelope.mailFrom as SMTPServerAddress
  return { from, to: envelope.rcptTo.map(({ address }) => address) }
}
