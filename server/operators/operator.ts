import { type GrantedScope, isGranted } from '../../contract/scopes.ts'
import type { PageRequest } from '../tenants/tenant.ts'

/** Who acts under `/admin`. */
export interface Operator {
  /** `root` for the root key. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly GrantedScope[]
  /** The tenants that the operator may reach; null for all of them and the deployment. */
  readonly tenantIds: readonly string[] | null
  /** When the key expires, epoch milliseconds. */
  readonly expiresAt: number | null
}

/** An operator with the hashes of their keys; times in epoch milliseconds. */
export interface StoredOperator extends Operator {
  readonly email: string | null
  /** SHA-256 of the secret of the key. */
  readonly secretHash: string
  /** That of the key before the last rotation, which works until `previousUntil`. */
  readonly previousHash: string | null
  readonly previousUntil: number | null
  /** The operator that created this one, or `root`. */
  readonly createdBy: string
  readonly createdAt: number
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

/** What an operator may do: with which tenants, and until when. */
export type Grant = Pick<Operator, 'scopes' | 'tenantIds' | 'expiresAt'>

/** An operator that is neither revoked nor bound to tenants and does not expire. */
export type LastingOperator = Pick<StoredOperator, 'id' | 'scopes'>

/** The operators of the deployment. A revoked one keeps its row, because events name it. */
export interface OperatorStore {
  add(operator: StoredOperator): Promise<void>
  find(id: string): Promise<StoredOperator | null>
  /** Revoked ones included, in id order. */
  list(page: PageRequest): Promise<StoredOperator[]>
  /** The operator, which no other transaction changes before the end of this one; null when unknown or revoked. */
  lock(id: string): Promise<StoredOperator | null>
  /** Changes an operator that is not revoked; false when there is none. */
  update(changed: Pick<StoredOperator, 'id' | 'name' | 'email'> & Grant): Promise<boolean>
  /** Replaces the key. The replaced one works until `previousUntil`; null: no longer. False when there is no operator. */
  rotate(id: string, secretHash: string, previousUntil: number | null): Promise<boolean>
  /** False when there is no operator that is not revoked. */
  revoke(id: string, now: number): Promise<boolean>
  /** The operators that are neither revoked nor bound to tenants and do not expire. */
  lasting(): Promise<LastingOperator[]>
  /** The same, which no other transaction changes before the end of this one. */
  lockLasting(): Promise<LastingOperator[]>
  /** Stores when keys were last used. */
  touchKeys(uses: ReadonlyMap<string, number>): Promise<void>
}

/**
 * The ids of those that can administer operators for good. One that expires does not count, nor does one bound to
 * tenants, which cannot call these operations.
 */
export const keepersAmong = (lasting: readonly LastingOperator[]): string[] =>
  lasting.filter(({ scopes }) => mayAdminister(scopes)).map(({ id }) => id)

/** Whether an operator with this grant is one of them. */
export const isKeeper = ({ scopes, tenantIds, expiresAt }: Grant): boolean =>
  tenantIds === null && expiresAt === null && mayAdminister(scopes)

const mayAdminister = (scopes: readonly GrantedScope[]): boolean => isGranted(scopes, 'operators:write')

/** The operator without what only the store needs. */
export const operatorIn = ({ id, name, scopes, tenantIds, expiresAt }: StoredOperator): Operator => ({
  ...{ id, name, scopes, tenantIds, expiresAt },
})

/** Whether its keys work. */
export const isActive = ({ expiresAt, revokedAt }: StoredOperator, now: number): boolean =>
  revokedAt === null && (expiresAt === null || now < expiresAt)
