import { createPublicKey } from 'node:crypto'
import type { Keyring } from '../../secrets/keyring.ts'
import { openPrivateJwk } from '../../secrets/private-jwk.ts'
import { type CheckpointKey, checkpointKeyContext } from '../checkpoint-keys.ts'
import { type PublicCheckpointKey, thumbprint } from '../seal.ts'
import type { PublicKeys } from './public-keys.ts'

/**
 * The checkpoint keys whose private half opens with a master key. The stored public halves are not trusted: an
 * attacker who can write the database could add a key, and sign a rewritten log with it.
 */
export function trustedKeys(keys: readonly CheckpointKey[], keyring: Keyring): PublicKeys {
  return new Map(
    keys.flatMap(({ kid, sealedPrivateJwk }) => {
      const privateKey = openPrivateJwk(keyring, sealedPrivateJwk, checkpointKeyContext(kid))
      if (privateKey === null) return []
      const publicKey = createPublicKey(privateKey)
      const jwk = publicKey.export({ format: 'jwk' }) as unknown as PublicCheckpointKey
      return thumbprint(jwk) === kid ? [[kid, publicKey] as const] : []
    }),
  )
}
