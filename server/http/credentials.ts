import type { IncomingMessage } from 'node:http'

/** A header as sent. Node joins or drops repeated headers; this does not. */
export type Credential = { readonly text: string } | 'missing' | 'repeated'

/** Reads a header that must not be repeated (threat A21). `name` in lower case. */
export function readOnce(request: IncomingMessage, name: string): Credential {
  const { rawHeaders } = request
  let text: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]!
    if (header.length !== name.length || header.toLowerCase() !== name) continue
    if (text !== undefined) return 'repeated'
    text = rawHeaders[i + 1]!
  }
  return text === undefined ? 'missing' : { text }
}

/** The token of `Authorization: Bearer <token>` (RFC 6750 2.1); null when the value has another form. */
export function bearerToken(value: string): string | null {
  return /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(value)?.[1] ?? null
}
