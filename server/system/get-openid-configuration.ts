import type { OpenIdConfiguration, getOpenIdConfiguration as operation } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import { publicDocument } from './public-document.ts'

/** `GET /.well-known/openid-configuration` (OpenID Connect Discovery 1.0, 3): where JWT middleware finds the keys. */
export const getOpenIdConfiguration: Handler<typeof operation> = (_input, _call, { publicUrl }) => {
  const configuration: OpenIdConfiguration = {
    issuer: publicUrl,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ['ES256'],
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
  }
  return publicDocument(JSON.stringify(configuration))
}
