import type * as operations from '../../../contract/admin/operators.ts'
import type { Handler } from '../../core/handler.ts'
import { keepAnswer } from '../../core/idempotency.ts'
import { pageOf } from '../../core/pages.ts'
import { maskEmail } from '../../delivery/mask.ts'
import type { Subject } from '../../events/event.ts'
import { record } from '../../events/record.ts'
import type { StoredOperator } from '../../operators/operator.ts'
import { issueOperatorKey } from '../../operators/operator-key.ts'
import { readGrants, requireGrants } from './operator-grants.ts'
import { presentCurrentOperator, presentOperator } from './present-operator.ts'

export const anOperator = (id: string): Subject => ({ kind: 'operator', id })

/** `POST /admin/operators`: only this response contains the key. */
export const createOperator: Handler<typeof operations.createOperator> = async ({ body }, call, services) => {
  const { storage } = services
  const { scopes = [], tenantIds = null, expiresAt = null } = await readGrants(body, call, storage)
  requireGrants({ scopes, tenantIds, expiresAt }, 'createOperator', call, services)
  const { id, text, secretHash } = issueOperatorKey(call.now)
  const { name, email = null } = body
  const operator: StoredOperator = {
    ...{ id, name, email, secretHash, previousHash: null, previousUntil: null, scopes, tenantIds, expiresAt },
    ...{ createdBy: call.operator.id, createdAt: call.now, revokedAt: null, lastUsedAt: null },
  }
  const answer = { ...presentOperator(operator), key: text }
  await storage.system.write(async (tx) => {
    await keepAnswer(tx, call, answer)
    await tx.operators.add(operator)
    const changes = { name: { after: name }, ...(email !== null && { email: { after: maskEmail(email) } }) }
    await record(tx, call, {
      type: 'operator.created',
      subject: anOperator(id),
      details: { scopes, tenantIds },
      changes,
    })
  })
  return answer
}

/** `GET /admin/operators`, expired and revoked ones included. */
export const listOperators: Handler<typeof operations.listOperators> = ({ query }, { refuse }, { storage }) =>
  pageOf(query, refuse, (request) => storage.system.operators.list(request), presentOperator)

/** `GET /admin/operators/{o}`. */
export const getOperator: Handler<typeof operations.getOperator> = async ({ params }, { refuse }, { storage }) => {
  const operator = await storage.system.operators.find(params.operatorId)
  if (operator === null) throw refuse('OPERATOR_NOT_FOUND')
  return presentOperator(operator)
}

/** `GET /admin/me`. */
export const getCurrentOperator: Handler<typeof operations.getCurrentOperator> = async (_input, { operator }) => ({
  operator: presentCurrentOperator(operator),
})
