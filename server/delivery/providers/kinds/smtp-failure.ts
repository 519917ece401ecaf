import { PermanentFailure, type RenderedMessage, TemporaryFailure } from '../../provider.ts'
import { connectionProblem } from '../connection-problem.ts'
import { replyText } from '../reply-text.ts'

/** Fields of nodemailer's errors (its errors.d.ts). */
interface SmtpError {
  readonly code?: string
  /** The code of the system or OpenSSL, if `code` is nodemailer's. */
  readonly originalCode?: string
  readonly responseCode?: number
  readonly response?: string
  /** The step that failed: `MAIL FROM`, `RCPT TO`, `DATA` among others. */
  readonly command?: string
  readonly timeoutType?: string
}

/** Replies to MAIL, RCPT or DATA about the session instead of the message: sequence, authentication, encryption. */
const aboutSession = [503, 530, 534, 535, 538]

/** Replies to AUTH on a connection without TLS (RFC 3207 4, RFC 4954 4). */
const requiresTls: readonly number[] = [530, 538]

/** Codes of nodemailer for an answer without a reply code. */
const strange: readonly unknown[] = ['EPROTOCOL', 'EENVELOPE', 'EMESSAGE']

/** "Closing the connection" (RFC 5321 3.8): concerns the server at any step. */
const closing = 421

/**
 * Classifies a failure (RFC 5321 4.2.1, RFC 4954 6). 5yz in reply to MAIL, RCPT or DATA rejects this message. At any other
 * step it concerns the session or the whole server and is temporary, so that a wrong setting loses no messages. 4yz in
 * reply to RCPT or DATA, or to MAIL with the tenant's own address, defers this message alone (greylisting as in RFC 6647, a
 * full or rate-limited mailbox, a domain without DNS) and does not count against the server, which may be that of all
 * tenants: anyone can use an address that always gets such a reply.
 */
export function smtpFailure(
  error: unknown,
  host: string,
  message: RenderedMessage,
): PermanentFailure | TemporaryFailure {
  if (error instanceof PermanentFailure || error instanceof TemporaryFailure) return error
  const { code, originalCode, responseCode, response = '', command, timeoutType } = error as SmtpError
  if (code === 'EABORT') return new TemporaryFailure('The attempt was aborted before a response')
  if (code === 'EAUTH') return new TemporaryFailure(`${host} ${credentialsProblem(responseCode)}`)
  if (code === 'ETIMEDOUT') return new TemporaryFailure(`${host} ${timeoutProblem(timeoutType)}`)
  if (responseCode === undefined && strange.includes(originalCode ?? code))
    return new TemporaryFailure(`${host} gave an answer that is not SMTP`)
  if (responseCode === undefined)
    return new TemporaryFailure(`${host} ${connectionProblem({ code: originalCode ?? code })}`)
  if (code === 'ETLS') return new TemporaryFailure(`${host} does not offer STARTTLS (${responseCode})`)
  const words = replyText(response, message)
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE')
    return new TemporaryFailure(`${host} does not accept mail now: ${words}`)
  const isPermanent = responseCode >= 500 && responseCode < 600 && !aboutSession.includes(responseCode)
  if (isPermanent) return new PermanentFailure(`${host} refused the message: ${words}`)
  const isOfMessage = command === 'RCPT TO' || command === 'DATA' || (command === 'MAIL FROM' && message.from !== null)
  const isDeferral = responseCode >= 400 && responseCode < 500 && responseCode !== closing
  const concerns = isOfMessage && isDeferral ? 'message' : 'provider'
  return new TemporaryFailure(`${host} could not take the message now: ${words}`, { concerns })
}

/** Omits the server's reply, because some servers quote the credentials. */
function credentialsProblem(responseCode: number | undefined): string {
  if (responseCode === undefined) return 'offers no supported authentication method: check the settings of this sender'
  if (requiresTls.includes(responseCode)) return `takes user name and password only with TLS (${responseCode})`
  if (responseCode < 500) return `could not check user name and password now (${responseCode})`
  return `did not accept user name and password (${responseCode}): check the settings of this sender`
}

function timeoutProblem(timeoutType: string | undefined): string {
  switch (timeoutType) {
    case 'GREETING_TIMEOUT':
      return 'accepted the connection but did not greet in time'
    case 'UPGRADE_TIMEOUT':
      return 'did not finish the TLS handshake in time'
    default:
      return 'did not answer in time'
  }
}
