import type { getCheckpointKeys as operation } from '../../contract/admin-events.ts'
import type { Handler } from '../core/handler.ts'

/** `GET /admin/checkpoint-keys` (RFC 7517): every key that ever signed a batch. */
export const getCheckpointKeys: Handler<typeof operation> = async (_input, _call, { storage }) => {
  const keys = (await storage.system.checkpointKeys.list()).map(({ publicJwk }) => JSON.parse(publicJwk))
  return { body: JSON.stringify({ keys }), cacheControl: 'no-store' }
}
