import { maskedSecret, TwilioSenderSettings } from '../../../contract/delivery-senders.ts'
import type { SmtpServer, SmtpTls } from './kinds/smtp.ts'
import { type MailAddress, mailableAddress } from './mail.ts'

/** Senders of the deployment, for tenants that bring none of their own. */
export interface DeploymentProviders {
  readonly smtp: SmtpServer | null
  readonly mailFrom: MailAddress | null
  readonly twilio: TwilioSenderSettings | null
}

const smtpForm =
  'must be smtp://user:password@host:587 or smtps://user:password@host:465, with # / ? @ : and % of a password written as %23 %2F %3F %40 %3A and %25'

/**
 * `SMTP_URL`: `smtp://` is STARTTLS and never without it, port 587; `smtps://` TLS from the first byte, port 465;
 * `smtp://…?tls=off` neither, where the server may be private.
 * @throws Error in plain words that quote nothing of it
 */
export function parseSmtpUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') throw new Error(smtpForm)
  // What stands behind an unescaped # or / of the password.
  if (url.hash !== '' || !['', '/'].includes(url.pathname)) throw new Error(smtpForm)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const tls = tlsOf(url, allowPrivate)
  const port = url.port === '' ? (tls === 'implicit' ? 465 : 587) : Number(url.port)
  if (port === 0) throw new Error('names port 0: give the port of the server, usually 587 or 465')
  const user = decoded(url.username)
  const password = decoded(url.password)
  if ((user === '') !== (password === '')) throw new Error('must give both user and password, or neither')
  return { host, port, tls, credentials: user === '' ? null : { user, password } }
}

function tlsOf({ protocol, searchParams }: URL, allowPrivate: boolean): SmtpTls {
  for (const key of searchParams.keys())
    if (key !== 'tls') throw new Error('has something behind the ? that is not known: only ?tls=off is')
  const wanted = searchParams.get('tls')
  if (protocol === 'smtps:') {
    if (wanted !== null) throw new Error('says smtps and ?tls at once: leave ?tls out')
    return 'implicit'
  }
  if (wanted === null) return 'starttls'
  if (wanted !== 'off') throw new Error('can say ?tls=off, or leave it out: smtp:// then requires STARTTLS')
  if (!allowPrivate) throw new Error('says ?tls=off, which only a server in a private network may: leave it out')
  return 'off'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('has a % in its user or password that is not an escape: write it as %25')
  }
}

/** A name, perhaps in quotes, before `<address>`; or the address alone. */
const namedAddress = /^\s*(?:"([^"<>\\]{1,100})"|([^"<>@,;:\\]{0,100}?))\s*<([^<>\s]{1,320})>\s*$/

/**
 * `MAIL_FROM`: `Example Accounts <accounts@example.com>`, or the address alone.
 * @throws Error in plain words
 */
export function parseMailFrom(text: string): MailAddress {
  const [, quoted, plain, bracketed] = namedAddress.exec(text) ?? []
  const name = (quoted ?? plain ?? '').trim()
  const address = mailableAddress(bracketed ?? text.trim())
  if (address === null || /\p{Cc}/u.test(name))
    throw new Error(`is "${text}", but must be an address such as Example Accounts <accounts@example.com>`)
  return { address, name: name === '' ? null : name }
}

/** The three settings of Twilio as they stand in the environment; undefined for what is not set. */
export interface TwilioEnvironment {
  readonly accountSid: string | undefined
  readonly authToken: string | undefined
  /** A number, short code or name; or the SID of a messaging service. */
  readonly from: string | undefined
}

/** A value of the environment, and what it is called there. */
const twilioNames = {
  accountSid: 'TWILIO_ACCOUNT_SID',
  authToken: 'TWILIO_AUTH_TOKEN',
  from: 'TWILIO_FROM',
  messagingServiceSid: 'TWILIO_FROM',
} as const

/**
 * `TWILIO_ACCOUNT_SID`, `TWILIO_AUTH_TOKEN` and `TWILIO_FROM`: all or none.
 * @returns null when none is set
 * @throws Error in plain words, beginning with the setting's name, without the token
 */
export function parseTwilioSettings({ accountSid, authToken, from }: TwilioEnvironment): TwilioSenderSettings | null {
  const given = { accountSid, authToken, from }
  const missing = (['accountSid', 'authToken', 'from'] as const).filter((key) => !given[key])
  if (missing.length === 3) return null
  if (missing.length > 0) {
    const names = missing.map((key) => twilioNames[key]).join(' and ')
    throw new Error(`${names}: set all of TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or none`)
  }
  // Settings of a tenant may say so, meaning the token they have; here there is none to mean.
  if (authToken === maskedSecret) throw new Error('TWILIO_AUTH_TOKEN: Give the token itself, not what is shown for it')
  const source = from?.startsWith('MG') && from.length === 34 ? { messagingServiceSid: from } : { from }
  const parsed = TwilioSenderSettings.safeParse({ type: 'twilio', accountSid, authToken, ...source })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Error(`${twilioNames[path[0] as keyof typeof twilioNames]}: ${message}`)
}
