import type * as operations from '../../contract/admin/signing-keys.ts'
import { optionalTimestamp, timestamp } from '../../contract/envelope.ts'
import type { TrustedKey } from '../accounts/sessions/signing-keys.ts'
import type { Handler } from '../core/handler.ts'

/** `GET /admin/signing-keys`: read from storage, because another process may have changed them. */
export const listSigningKeys: Handler<typeof operations.listSigningKeys> = async (_input, { now }, { signingKeys }) => {
  await signingKeys.reload()
  return { keys: signingKeys.list(now).map(presentKey) }
}

/** `POST /admin/signing-keys/rotate`. */
export const rotateSigningKeys: Handler<typeof operations.rotateSigningKeys> = async (
  { body: { withdraw } },
  call,
  { signingKeys },
) => {
  const { now } = call
  await (withdraw ? signingKeys.withdrawAll(now, call) : signingKeys.rotate(now, call))
  return { keys: signingKeys.list(now).map(presentKey) }
}

const presentKey = ({ kid, state, createdAt, signsFrom, trustedUntil }: TrustedKey): operations.SigningKey => ({
  kid,
  state,
  createdAt: timestamp(createdAt),
  signsFrom: timestamp(signsFrom),
  trustedUntil: optionalTimestamp(trustedUntil),
})
