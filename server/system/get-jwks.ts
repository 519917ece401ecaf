import type { getJwks as operation } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import { publicDocument } from './public-document.ts'

/** `GET /.well-known/jwks.json` (RFC 7517). */
export const getJwks: Handler<typeof operation> = (_input, { now }, { signingKeys }) =>
  publicDocument(signingKeys.jwks(now))
