import type * as operations from '../../contract/admin/console-session.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { Handler } from '../core/handler.ts'
import { record } from '../events/record.ts'
import { describeUserAgent } from '../events/user-agent.ts'
import { networkOf } from '../limits/address.ts'
import { hashSecret, newSecret } from '../secrets/issued-key.ts'
import type { Operator } from './operator.ts'
import { operatorOfKey } from './operator-key.ts'
import { longestMs, rootHashOf } from './operator-session.ts'
import { rootOperator } from './root-operator.ts'

const shown = ({ id, name, scopes, tenantIds }: Operator) => ({
  ...{ id, name, scopes: [...scopes] },
  tenantIds: tenantIds && [...tenantIds],
})

/** `POST /admin/session`: signs in to the console. */
export const createConsoleSession: Handler<typeof operations.createConsoleSession> = async (
  { body },
  call,
  services,
) => {
  const { now, address, userAgent, session: previous } = call
  const operator = await call.authenticate(body.key)
  const token = newSecret()
  const endsAt = Math.min(now + longestMs, operator.expiresAt ?? Number.POSITIVE_INFINITY)
  const session = {
    id: hashSecret(token),
    operatorId: operator.id,
    rootHash: operator.id === rootOperator.id ? rootHashOf(body.key, token) : null,
    createdAt: now,
    lastUsedAt: now,
    endsAt,
    network: networkOf(address),
    userAgent: describeUserAgent(userAgent),
  }
  await services.storage.system.write(async (tx) => {
    // A rotation without an overlap ends the sessions of the replaced key: it must not miss this one.
    const lock = { find: (id: string) => tx.operators.lock(id) }
    const isLasting = operator.id === rootOperator.id || (await operatorOfKey(body.key, lock, now)) !== null
    if (!isLasting) throw call.refuse('INVALID_ADMIN_KEY')
    if (previous !== null) await tx.operatorSessions.end(previous.id)
    await tx.operatorSessions.add(session)
    await record(
      tx,
      { ...call, operator },
      { type: 'operator.signed_in', subject: { kind: 'operator', id: operator.id } },
    )
  })
  return { data: { operator: shown(operator), expiresAt: timestamp(endsAt) }, consoleToken: token }
}

/** `GET /admin/session`: who is signed in to the console. */
export const getConsoleSession: Handler<typeof operations.getConsoleSession> = (_input, { session }) => ({
  operator: session && shown(session.operator),
  expiresAt: session && timestamp(session.endsAt),
})

/** `DELETE /admin/session`: signs out of the console. */
export const endConsoleSession: Handler<typeof operations.endConsoleSession> = async (
  { query },
  { session },
  { storage },
) => {
  const { operatorSessions } = storage.system
  if (session !== null && query.all === 'true') await operatorSessions.endAllOf(session.operator.id)
  else if (session !== null) await operatorSessions.end(session.id)
  return { data: undefined, consoleToken: null }
}
