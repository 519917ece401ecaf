import type { getCheckpointKeys as operation } from '../../../contract/admin/events.ts'
import type { Handler } from '../../core/handler.ts'
import { trustedKeys } from '../../events/verify/trusted-keys.ts'

/**
 * `GET /admin/checkpoint-keys` (RFC 7517): every key that ever signed a batch. One that does not open with a master key may
 * have been added to the database by someone else.
 */
export const getCheckpointKeys: Handler<typeof operation> = async (_input, _call, { storage, keyring }) => {
  const stored = await storage.system.checkpointKeys.list()
  const trusted = trustedKeys(stored, keyring)
  const keys = stored.filter(({ kid }) => trusted.has(kid)).map(({ publicJwk }) => JSON.parse(publicJwk))
  return { body: JSON.stringify({ keys }), cacheControl: 'no-store' }
}
