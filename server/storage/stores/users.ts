import type { Restriction, Suspension } from '../../accounts/restriction.ts'
import type {
  Address,
  AddressKind,
  AddressSearch,
  FoundAddresses,
  User,
  UserCredential,
  UserFilter,
  UserStore,
} from '../../accounts/user.ts'
import type { PageRequest } from '../../tenants/tenant.ts'
import type { Columns, Row } from '../columns.ts'
import type { Executor } from '../database.ts'
import { fastDigests, guests } from '../schema-steps.ts'
import { type Statement, statement } from '../statement.ts'
import { WriteConflict } from '../storage.ts'
import { addressChanges, claimEmail, splitAddress } from './user-addresses.ts'
import { credentials, passwords, timeOfChange, users } from './user-columns.ts'
import { isOnPage, listUsers, searchAddresses } from './user-lists.ts'
import { find, findByEmail, findByEmailOrFirst, findByPhone, findCredential, listCredentials } from './user-lookups.ts'
import { confirmPassword, rehashPassword, removePassword, resetPassword, setPassword } from './user-passwords.ts'

const one = 'tenant_id = $1 AND id = $2'

/** Locks the row and changes nothing. */
const lock = statement('user.lock', `UPDATE users SET guest = guest WHERE ${one} RETURNING ${users.columns}`, users)
const add = statement('user.add', `${credentials.tenantInsert} ON CONFLICT DO NOTHING`)
const holders = statement<{ email: string | null; phone: string | null }>(
  'user.holders',
  `SELECT email, phone FROM users WHERE tenant_id = $1 AND email = $2
   UNION ALL SELECT email, phone FROM users WHERE tenant_id = $1 AND phone = $3`,
)
const endCodes = statement('user.endCodes', `UPDATE users SET codes_valid_from = $3 WHERE ${one}`)
const makeFull = statement(
  'user.makeFull',
  `UPDATE users SET guest = 0, updated_at = ${timeOfChange('$3')} WHERE ${one}`,
)
const touch = statement('user.touch', `UPDATE users SET last_active_at = $3 WHERE ${one}`)
const restrict = statement(
  'user.restrict',
  `UPDATE users SET restricted_capabilities = COALESCE($3, restricted_capabilities),
     suspension = CASE WHEN $4 = '' THEN suspension ELSE $5 END, updated_at = ${timeOfChange('$6')}
   WHERE ${one} RETURNING ${users.columns}`,
  users,
)
const idleGuests = statement<{ id: string }>(
  'user.idleGuests',
  `SELECT id FROM users WHERE tenant_id = $1 AND ${guests} AND last_active_at < $2 ORDER BY last_active_at LIMIT $3`,
)
/** Only of users whose hash is a digest, so it is never null. */
const digests = users.pick('id').and(passwords as Columns<{ readonly passwordHash: string }>)
const listFastDigests = statement(
  'user.fastDigests',
  `SELECT ${digests.columns} FROM users WHERE tenant_id = $1 AND id > $2 AND ${fastDigests} ORDER BY id LIMIT $3`,
  digests,
)
const remove = statement('user.remove', `DELETE FROM users WHERE ${one}`)

/** One tenant's users in any SQL database. */
export class SqlUserStore implements UserStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  find(id: string): Promise<User | null> {
    return this.#row(find, id)
  }

  lock(id: string): Promise<User | null> {
    return this.#executor.write(async (sql) => {
      const row = await sql.row(lock, this.#tenantId, id)
      return row && users.read(row)
    })
  }

  findByEmail(email: string, { evenly = false } = {}): Promise<UserCredential | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(evenly ? findByEmailOrFirst : findByEmail, this.#tenantId, email)
      const found = row && toCredential(row)
      return found?.user.email === email ? found : null
    })
  }

  findCredential(id: string): Promise<UserCredential | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(findCredential, this.#tenantId, id)
      return row && toCredential(row)
    })
  }

  findByPhone(phone: string): Promise<User | null> {
    return this.#row(findByPhone, phone)
  }

  async list({ email, phone, ...page }: PageRequest & UserFilter): Promise<User[]> {
    if (email === undefined && phone === undefined) return listUsers(this.#executor, this.#tenantId, page)
    const found = email === undefined ? await this.findByPhone(phone!) : ((await this.findByEmail(email))?.user ?? null)
    const isListed = found !== null && isOnPage(found.id, page) && (phone === undefined || found.phone === phone)
    return isListed ? [found] : []
  }

  search(
    search: AddressSearch,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<FoundAddresses> {
    return searchAddresses(this.#executor, this.#tenantId, search, page)
  }

  listCredentials({ limit, cursor }: PageRequest): Promise<UserCredential[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(listCredentials, this.#tenantId, cursor ?? '', limit)).map(toCredential),
    )
  }

  add(user: User, passwordHash: string | null): Promise<AddressKind | null> {
    return this.#executor.write(async (sql) => {
      if ((await sql.run(add, this.#tenantId, ...users.values(user), passwordHash)) === 1) return null
      const taken = await sql.rows(holders, this.#tenantId, user.email, user.phone)
      if (taken.some((other) => other.email !== null && other.email === user.email)) return 'email'
      if (taken.some((other) => other.phone !== null && other.phone === user.phone)) return 'phone'
      // The conflict is on the id, or the user with the same address has been deleted since.
      throw new WriteConflict(`a concurrent transaction added user ${user.id}`)
    })
  }

  resetPassword(id: string, passwordHash: string, now: number): Promise<boolean> {
    return this.#change(resetPassword, id, passwordHash, now)
  }

  setPassword(id: string, verifiedHash: string | null, passwordHash: string, now: number): Promise<boolean> {
    return this.#change(setPassword, id, verifiedHash ?? '', passwordHash, now)
  }

  async rehashPassword(id: string, verifiedHash: string, passwordHash: string): Promise<void> {
    await this.#change(rehashPassword, id, verifiedHash, passwordHash)
  }

  confirmPassword(id: string, verifiedHash: string): Promise<User | null> {
    return this.#executor.write(async (sql) => {
      const row = await sql.row(confirmPassword, this.#tenantId, id, verifiedHash)
      return row && users.read(row)
    })
  }

  markVerified(id: string, address: Address, now: number): Promise<boolean> {
    const [kind, value] = splitAddress(address)
    return this.#change(addressChanges[kind].verify, id, value, now)
  }

  setAddress(id: string, address: Address, now: number, verifiedAt = now): Promise<boolean> {
    const [kind, value] = splitAddress(address)
    return this.#change(addressChanges[kind].set, id, value, now, verifiedAt)
  }

  async unverifyAddress(id: string, kind: AddressKind, now: number): Promise<void> {
    await this.#change(addressChanges[kind].unverify, id, now)
  }

  claimEmail(id: string, email: string, now: number): Promise<boolean> {
    return this.#change(claimEmail, id, email, now)
  }

  async removeAddress(id: string, kind: AddressKind, now: number): Promise<void> {
    await this.#change(addressChanges[kind].remove, id, now)
  }

  async takeAddress(id: string, address: Address, now: number): Promise<boolean> {
    const [kind, value] = splitAddress(address)
    return this.#change(addressChanges[kind].take, id, value, now)
  }

  async removePassword(id: string, now: number): Promise<void> {
    await this.#change(removePassword, id, now)
  }

  async endCodes(id: string, now: number): Promise<void> {
    await this.#change(endCodes, id, now)
  }

  async makeFull(id: string, now: number): Promise<void> {
    await this.#change(makeFull, id, now)
  }

  touch(id: string, now: number): Promise<boolean> {
    return this.#change(touch, id, now)
  }

  async restrict(
    id: string,
    changes: { readonly restrictions?: readonly Restriction[]; readonly suspension?: Suspension | null },
    now: number,
  ): Promise<User | null> {
    const { restrictions, suspension } = changes
    const { rows } = await this.#executor.effect(
      restrict,
      this.#tenantId,
      id,
      restrictions === undefined ? null : JSON.stringify(restrictions),
      suspension === undefined ? '' : 'given',
      suspension ? JSON.stringify(suspension) : null,
      now,
    )
    return rows[0] ? users.read(rows[0]) : null
  }

  idleGuests(before: number, limit: number): Promise<string[]> {
    return this.#executor.read(async (sql) =>
      (await sql.rows(idleGuests, this.#tenantId, before, limit)).map(({ id }) => id),
    )
  }

  fastDigests(after: string, limit: number): Promise<{ id: string; passwordHash: string }[]> {
    return this.#executor.read(async (sql) =>
      digests.readAll(await sql.rows(listFastDigests, this.#tenantId, after, limit)),
    )
  }

  remove(id: string): Promise<boolean> {
    return this.#change(remove, id)
  }

  #row(statement: Statement<Row<User>>, by: string): Promise<User | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(statement, this.#tenantId, by)
      return row && users.read(row)
    })
  }

  /** Whether it changed the user. */
  async #change(statement: Statement, ...parameters: (string | number | null)[]): Promise<boolean> {
    return (await this.#executor.effect(statement, this.#tenantId, ...parameters)).changes === 1
  }
}

const toCredential = (row: Row<User & { readonly passwordHash: string | null }>): UserCredential => ({
  user: users.read(row),
  ...passwords.read(row, users.width),
})
