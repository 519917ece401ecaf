import { hash } from 'node:crypto'
import type { Document } from '../core/handler.ts'

/** A JSON document for any client. Cached for 5 minutes: a signing key is published for longer before it signs. */
export const publicDocument = (body: string): Document => ({
  body,
  etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
  cacheControl: 'public, max-age=300',
  anyOrigin: true,
})
