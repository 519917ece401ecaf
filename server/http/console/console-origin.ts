import type { IncomingMessage } from 'node:http'

/** Only on this machine does a browser keep a `Secure` cookie of a page that came over http. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

/**
 * Whether an origin is this server's: that of the public URL, or the host that the request names. A page on a host name
 * that an attacker points here (DNS rebinding) has an origin of the second kind. It gains nothing: the browser sends it
 * no cookie of the host that the operator signed in at.
 */
function isOwnOrigin(origin: string, host: string | undefined, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true
  if (host === undefined) return false
  return origin === `https://${host}` || (origin === `http://${host}` && loopback.test(host))
}

/**
 * Whether a page of another origin may have sent the request. Browsers name the relation in `Sec-Fetch-Site`, which no page
 * can set; those that do not send it name the origin of a page that changes something.
 */
export function isForeign({ method, headers }: IncomingMessage, publicOrigin: string): boolean {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && !(site === 'none' && isRead(method))
  return origin !== undefined && !isOwnOrigin(origin, host, publicOrigin)
}

/**
 * Whether a request may use the cookie of the console (CONSOLE-3): it comes from a page of this server, and one
 * that changes something also has a header that no form and no link can send.
 */
export function mayUseConsoleCookie(request: IncomingMessage, publicOrigin: string): boolean {
  if (isForeign(request, publicOrigin)) return false
  if (isRead(request.method)) return true
  const { 'sec-fetch-site': site, origin, 'x-tenantry-console': header } = request.headers
  return header === '1' && (site !== undefined || origin !== undefined)
}

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'
