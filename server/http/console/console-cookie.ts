import type { IncomingMessage } from 'node:http'
import { isSecret } from '../../secrets/issued-key.ts'

/** `__Host-`: the browser keeps it for this host alone, and only if it is `Secure` and for every path (RFC 6265bis 4.1.3). */
export const consoleCookie = '__Host-tenantry-operator'
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'

/** `Set-Cookie` that stores a token. It lives as long as the browser; the server ends the session. */
export const setConsoleCookie = (token: string): string => `${consoleCookie}=${token}; ${attributes}`

/** `Set-Cookie` that deletes the token. */
export const clearConsoleCookie = `${consoleCookie}=; ${attributes}; Max-Age=0`

/**
 * The token that a request carries. A browser sends the cookie once and as it was set: a value of another form, or two
 * of them, is `malformed`.
 */
export function readConsoleCookie({ headers }: IncomingMessage): { readonly token: string } | 'missing' | 'malformed' {
  // Node joins several Cookie headers with "; ".
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, ...value] = pair.split('=')
    return name!.trim() === consoleCookie ? [tokenIn(value.join('='))] : []
  })
  const [token, another] = values
  if (token === undefined) return 'missing'
  return another === undefined && isSecret(token) ? { token } : 'malformed'
}

/** A value without the spaces around it. `trim` would remove a no-break space too, which is a byte of the value. */
const tokenIn = (value: string): string => /^[ \t]*(\S+)[ \t]*$/.exec(value)?.[1] ?? ''
