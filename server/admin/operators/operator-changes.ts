import type * as operations from '../../../contract/admin/operators.ts'
import type { Handler } from '../../core/handler.ts'
import { keepAnswer } from '../../core/idempotency.ts'
import { maskEmail } from '../../delivery/mask.ts'
import { record } from '../../events/record.ts'
import { lackingFor } from '../../operators/lacking.ts'
import { isKeeper, keepersAmong, type StoredOperator } from '../../operators/operator.ts'
import { replaceOperatorKey } from '../../operators/operator-key.ts'
import { changesBetween } from '../changes-between.ts'
import { readGrants, refuseGrant } from './operator-grants.ts'
import { anOperator } from './operators.ts'
import { presentOperator } from './present-operator.ts'

/**
 * `PATCH /admin/operators/{o}`. The operators that can administer operators are locked first, so that two requests cannot
 * each weaken one of the last two.
 */
export const updateOperator: Handler<typeof operations.updateOperator> = async ({ params, body }, call, services) => {
  const { storage } = services
  const grants = await readGrants(body, call, storage)
  const { name, email } = body
  const changes = { ...(name !== undefined && { name }), ...(email !== undefined && { email }), ...grants }
  const changed = await storage.system.write(async (tx) => {
    const keepers = keepersAmong(await tx.operators.lockLasting())
    const before = await tx.operators.lock(params.operatorId)
    if (before === null) throw call.refuse('OPERATOR_NOT_FOUND')
    const after = { ...before, ...changes }
    const differences = changesBetween(recordedOf(before), recordedOf(after))
    if (differences === null && before.email === after.email) return { operator: before, missing: null }
    const raises = differences !== null && grantNames.some((grant) => grant in differences)
    const missing = raises ? lackingFor(call.operator, after) : null
    if (missing !== null) return { operator: before, missing }
    if (isKeeper(before) && !isKeeper(after) && keepers.length === 1) throw call.refuse('LAST_OPERATOR')
    await tx.operators.update(after)
    const subject = anOperator(before.id)
    await record(tx, call, { type: 'operator.updated', subject, changes: differences ?? { email: {} } })
    return { operator: after, missing: null }
  })
  if (changed.missing !== null) throw refuseGrant(changed.missing, 'updateOperator', call, services)
  return presentOperator(changed.operator)
}

const grantNames = ['scopes', 'tenantIds', 'expiresAt'] as const

/** What an event shows of an operator; two addresses may have the same mask. */
const recordedOf = ({ name, email, scopes, tenantIds, expiresAt }: StoredOperator) => ({
  ...{ name, email: email && maskEmail(email), scopes, tenantIds, expiresAt },
})

/** `DELETE /admin/operators/{o}`: takes effect with the next request; the row stays, because events name it. */
export const revokeOperator: Handler<typeof operations.revokeOperator> = async ({ params }, call, { storage }) => {
  const { operatorId } = params
  await storage.system.write(async (tx) => {
    const keepers = keepersAmong(await tx.operators.lockLasting())
    if (keepers.length === 1 && keepers[0] === operatorId) throw call.refuse('LAST_OPERATOR')
    if (!(await tx.operators.revoke(operatorId, call.now))) throw call.refuse('OPERATOR_NOT_FOUND')
    await tx.operatorSessions.endAllOf(operatorId)
    await record(tx, call, { type: 'operator.revoked', subject: anOperator(operatorId) })
  })
  return undefined
}

/** `POST /admin/operators/{o}/rotate`: another key for the same operator. Only this response contains it. */
export const rotateOperatorKey: Handler<typeof operations.rotateOperatorKey> = async (
  { params: { operatorId }, body: { overlapHours } },
  call,
  services,
) => {
  const { text, secretHash } = replaceOperatorKey(operatorId)
  const previousUntil = overlapHours === 0 ? null : call.now + overlapHours * 3_600_000
  const rotated = await services.storage.system.write(async (tx) => {
    const operator = await tx.operators.lock(operatorId)
    if (operator === null) throw call.refuse('OPERATOR_NOT_FOUND')
    // The caller sees the new key, and could act as its operator.
    const missing = lackingFor(call.operator, operator)
    if (missing !== null) return { missing }
    const answer = { ...presentOperator(operator), key: text }
    await keepAnswer(tx, call, answer)
    await tx.operators.rotate(operatorId, secretHash, previousUntil)
    // Without an overlap the replaced key may have leaked, and sessions were opened with it.
    if (previousUntil === null) await tx.operatorSessions.endAllOf(operatorId)
    await record(tx, call, { type: 'operator.rotated', subject: anOperator(operatorId), details: { overlapHours } })
    return { missing: null, answer }
  })
  if (rotated.missing !== null) throw refuseGrant(rotated.missing, 'rotateOperatorKey', call, services)
  return rotated.answer
}
