import { hash } from 'node:crypto'
import type {
  getOpenIdConfiguration as discoveryOperation,
  getJwks as jwksOperation,
  getLiveness as liveOperation,
  OpenIdConfiguration,
  getReadiness as readyOperation,
} from '../../contract/system.ts'
import type { SigningKeys } from '../accounts/signing-keys.ts'
import type { Document, Handler } from '../core/handler.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Storage } from '../storage/storage.ts'

const ok: Document = { body: '{"status":"ok"}', cacheControl: 'no-store' }

/** `GET /healthz`: the process answers, and nothing happened to it that only a restart repairs. */
export const getLiveness =
  (storage: Storage): Handler<typeof liveOperation> =>
  () => {
    const cause = storage.failure
    if (cause !== null) throw new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }, { cause })
    return ok
  }

/**
 * `GET /readyz`: so does the storage, it takes writes as far as is known, and the service is not about to stop.
 * @param stopping aborted when the service begins to stop: load balancers then send requests elsewhere
 */
export const getReadiness =
  (storage: Storage, stopping: AbortSignal): Handler<typeof readyOperation> =>
  async () => {
    if (stopping.aborted) throw new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
    try {
      await storage.ping()
    } catch (error) {
      const { retryAfterSeconds = 1 } = error instanceof ServiceError ? error.details : {}
      throw new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause: error })
    }
    return ok
  }

/** `GET /.well-known/jwks.json` (RFC 7517, design 6). */
export const getJwks =
  (keys: SigningKeys): Handler<typeof jwksOperation> =>
  (_input, { now }) =>
    forEverybody(keys.jwks(now))

/**
 * `GET /.well-known/openid-configuration` (OpenID Connect Discovery 1.0, 3): what JWT middleware looks for.
 * @param publicUrl the `iss` of every token, without a slash behind
 */
export function getOpenIdConfiguration(publicUrl: string): Handler<typeof discoveryOperation> {
  const configuration: OpenIdConfiguration = {
    issuer: publicUrl,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ['ES256'],
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
  }
  const document = forEverybody(JSON.stringify(configuration))
  return () => document
}

/** A next key is published for longer than this before it signs. */
const forEverybody = (body: string): Document => ({
  body,
  etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
  cacheControl: 'public, max-age=300',
})
