/** The unreserved characters of RFC 3986 2.3 (letters, digits, `-`, `.`, `_`, `~`), percent-encoded. */
const encodedUnreserved = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i

/**
 * Whether the path of a request target has a percent-encoded unreserved character. The router would decode it, so
 * `/%61dmin` would reach `/admin` past a proxy rule that compares paths as they are written. No client needs such an
 * encoding (RFC 3986 6.2.2.2).
 */
export function hasEncodedUnreserved(url: string): boolean {
  return url.includes('%') && encodedUnreserved.test(pathOf(url))
}

/**
 * Whether a request target is a screen of the console whose path is percent-encoded; no file of the console is. The router
 * would refuse `/console/tenants/%FF`, for which a browser shows JSON.
 */
export const isEncodedScreen = (url: string): boolean => url.startsWith('/console/') && pathOf(url).includes('%')

/** A request target without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0]!
