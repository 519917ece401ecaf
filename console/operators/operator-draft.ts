import { pastedText } from '../../contract/pasted-text.ts'
import type { GrantedScope } from '../../contract/scopes.ts'
import type { AdminInputOf } from '../../packages/client/src/admin.ts'
import { mergedList } from '../parts/lists/merged-list.ts'
import { isoToLocal, localToIso } from '../parts/times/local-time.ts'
import { type Role, roleOf, roles } from './grants.ts'
import type { Operator } from './operators-queries.ts'

/** What the form of an operator holds. */
export interface OperatorDraft {
  readonly name: string
  readonly email: string
  /** null: a choice of scopes. */
  readonly role: Role | null
  readonly scopes: readonly GrantedScope[]
  /** null: all tenants and the deployment. */
  readonly tenantIds: readonly string[] | null
  /** Local time; empty: never. */
  readonly end: string
}

export const newDraft = (tenantIds: readonly string[] | null): OperatorDraft => ({
  ...{ name: '', email: '', role: 'support', scopes: roles.support, tenantIds, end: '' },
})

export const draftOf = ({ name, email, scopes, tenantIds, expiresAt }: Operator): OperatorDraft => ({
  name,
  email: email ?? '',
  role: roleOf(scopes),
  scopes,
  tenantIds,
  end: expiresAt === null ? '' : isoToLocal(expiresAt),
})

/** The body that makes the operator. */
export function bodyOf({ name, email, role, scopes, tenantIds, end }: OperatorDraft): AdminInputOf<'createOperator'> {
  return {
    name,
    ...(pastedText(email) !== '' && { email: pastedText(email) }),
    ...(role === null ? { scopes: [...scopes] } : { role }),
    tenantIds: tenantIds && [...tenantIds],
    ...(end !== '' && { expiresAt: localToIso(end) }),
  }
}

/**
 * What the draft changes: what others changed meanwhile stays.
 *
 * @param operator what the draft began with
 * @param now what is stored
 */
export function changesOf(operator: Operator, draft: OperatorDraft, now: Operator): AdminInputOf<'updateOperator'> {
  const before = draftOf(operator)
  const { name, email, scopes, tenantIds, end } = draft
  return {
    ...(name !== before.name && { name }),
    ...(pastedText(email) !== before.email && { email: pastedText(email) || null }),
    ...(!isSame(scopes, before.scopes) && { scopes: mergedList(before.scopes, scopes, now.scopes) }),
    ...(!isSame(tenantIds, before.tenantIds) && {
      tenantIds:
        tenantIds === null || before.tenantIds === null || now.tenantIds === null
          ? tenantIds && [...tenantIds]
          : mergedList(before.tenantIds, tenantIds, now.tenantIds),
    }),
    ...(end !== before.end && { expiresAt: end === '' ? null : localToIso(end) }),
  }
}

function isSame(some: readonly string[] | null, others: readonly string[] | null): boolean {
  if (some === null || others === null) return some === others
  return some.length === others.length && some.every((one) => others.includes(one))
}
