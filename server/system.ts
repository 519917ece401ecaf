import type {
  getJwks as jwksOperation,
  getLiveness as liveOperation,
  getReadiness as readyOperation,
} from '../contract/system.ts'
import type { SigningKeys } from './accounts/signing-keys.ts'
import type { Document, Handler } from './handler.ts'
import { ServiceError } from './service-error.ts'
import type { Storage } from './storage/storage.ts'

const ok: Document = { body: '{"status":"ok"}', cacheControl: 'no-store' }

/** `GET /healthz`: the process answers. */
export const getLiveness = (): Handler<typeof liveOperation> => () => ok

/** `GET /readyz`: so does the storage. */
export const getReadiness =
  (storage: Storage): Handler<typeof readyOperation> =>
  async () => {
    try {
      await storage.ping()
    } catch (error) {
      throw new ServiceError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, { cause: error })
    }
    return ok
  }

/** `GET /.well-known/jwks.json` (RFC 7517, design 6). */
export const getJwks =
  (keys: SigningKeys): Handler<typeof jwksOperation> =>
  () => ({ body: keys.jwks, cacheControl: 'public, max-age=300' })
