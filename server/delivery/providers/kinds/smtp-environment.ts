import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type MailAddress, mailableAddress } from '../mail.ts'
import type { EnvironmentReader } from '../provider-kind.ts'
import { isPublicAddress } from '../public-address.ts'
import type { SmtpServer, SmtpTls } from './smtp-server.ts'

/** `SMTP_URL` and `MAIL_FROM`; null when no server is configured. */
export function readSmtpEnvironment(
  environment: EnvironmentReader,
): (SmtpServer & { readonly from: MailAddress | null }) | null {
  const url = environment.secret('SMTP_URL', 'unset')
  const server = environment.attempt('SMTP_URL', () => url && parseSmtpUrl(url), undefined)
  const sender = environment.text('MAIL_FROM')
  const from = environment.attempt('MAIL_FROM', () => sender && parseMailFrom(sender), undefined)
  if (!server) return null
  if (sender === undefined) {
    environment.problems.push('MAIL_FROM: required with SMTP_URL; set it to the From address of e-mail')
  }
  if (server.tls === 'off' && mayBePublic(server.host)) {
    environment.warnings.push(
      'SMTP_URL: ?tls=off sends codes and the password of the server unencrypted; remove it unless the server is in your own network',
    )
  }
  return { ...server, from: from || null }
}

const smtpForm =
  'must be smtp://user:password@host:587 or smtps://user:password@host:465, with # / ? @ : and % of a password written as %23 %2F %3F %40 %3A and %25'

/**
 * Parses `SMTP_URL`: `smtp://` requires STARTTLS, on port 587 by default; `smtps://` is implicit TLS, on port 465 by
 * default; `smtp://…?tls=off` is unencrypted, for a server in the operator's own network, which is not checked.
 * @throws Error without any part of the URL
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') throw new Error(smtpForm)
  // An unescaped # or / in the password ends up here.
  if (url.hash !== '' || !['', '/'].includes(url.pathname)) throw new Error(smtpForm)
  const host = hostOf(url)
  const tls = tlsOf(url)
  const port = url.port === '' ? (tls === 'implicit' ? 465 : 587) : Number(url.port)
  if (port === 0) throw new Error('names port 0: give the port of the server, usually 587 or 465')
  const user = decoded(url.username)
  const password = decoded(url.password)
  if ((user === '') !== (password === '')) throw new Error('must give both user and password, or neither')
  return { host, port, tls, credentials: user === '' ? null : { user, password } }
}

/** In ASCII, as name servers know it: of a URL that is not http, the parser percent-encodes the other letters. */
function hostOf({ hostname }: URL): string {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? domainToASCII(decoded(bare)) || bare : bare
}

function tlsOf({ protocol, searchParams }: URL): SmtpTls {
  for (const key of searchParams.keys())
    if (key !== 'tls') throw new Error('has something behind the ? that is not known: only ?tls=off is')
  const wanted = searchParams.get('tls')
  if (protocol === 'smtps:') {
    if (wanted !== null) throw new Error('says smtps and ?tls at once: leave ?tls out')
    return 'implicit'
  }
  if (wanted === null) return 'starttls'
  if (wanted !== 'off') throw new Error('can say ?tls=off, or leave it out: smtp:// then requires STARTTLS')
  return 'off'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Error('has a % in its user or password that is not an escape: write it as %25')
  }
}

/** Names that no public name server resolves: of one label, mDNS (RFC 6762), home networks (RFC 8375), and `.internal`. */
const privateName = /^[^.]+$|\.(?:local|localhost|internal|home\.arpa)\.?$/i

const mayBePublic = (host: string): boolean => (isIP(host) === 0 ? !privateName.test(host) : isPublicAddress(host))

/** A name, optionally in quotes, and `<address>`. */
const namedAddress = /^\s*(?:"([^"<>\\]{1,100})"|([^"<>@,;:\\]{0,100}?))\s*<([^<>\s]{1,320})>\s*$/

/**
 * Parses `MAIL_FROM`: `Example Accounts <accounts@example.com>`, or the address alone.
 * @throws Error that says what to write
 */
export function parseMailFrom(text: string): MailAddress {
  const [, quoted, plain, bracketed] = namedAddress.exec(text) ?? []
  const name = (quoted ?? plain ?? '').trim()
  const address = mailableAddress(bracketed ?? text.trim())
  if (address === null || /\p{Cc}/u.test(name))
    throw new Error(`is "${text}", but must be an address such as Example Accounts <accounts@example.com>`)
  return { address, name: name === '' ? null : name }
}
