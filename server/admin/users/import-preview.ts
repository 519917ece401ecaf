import type { Identity, IdentityStore } from '../../accounts/identity.ts'
import type { AddressKind, User, UserStore } from '../../accounts/user.ts'
import type { ProfileTarget } from '../../profiles/add-profile.ts'
import type { UserEntry } from '../../profiles/index/profile-index.ts'
import type { Stores } from '../../storage/storage.ts'
import type { ImportRow } from './import-row.ts'

/** The stores that an import of one row uses. */
export interface ImportTarget extends ProfileTarget {
  readonly users: Pick<UserStore, 'find' | 'add' | 'remove'>
  readonly identities: Pick<IdentityStore, 'find' | 'add'>
  readonly sessions: Pick<Stores['sessions'], 'revokeAllOf'>
  readonly eventErasures: Pick<Stores['eventErasures'], 'isUnfinished'>
  readonly eventLog: Pick<Stores['eventLog'], 'mentions'>
  readonly events: Stores['events']
}

/** Answers as a transaction of the import would and writes nothing. */
interface ImportPreview extends ImportTarget {
  /** Reads together what the rows of the next batch look up: on PostgreSQL they share round trips. */
  readAhead(rows: readonly ImportRow[]): Promise<void>
}

/**
 * Rows of the same file that were accepted earlier count as stored. Keeps the ids, addresses and unique values of the file in
 * memory.
 */
export function previewOf({
  tenant,
  users,
  identities,
  profileIndex,
  eventErasures,
}: Pick<Stores, 'tenant' | 'users' | 'identities' | 'profileIndex' | 'eventErasures'>): ImportPreview {
  const accepted = new Map<string, User>()
  const emails = new Set<string>()
  const phones = new Set<string>()
  const linked = new Map<string, Identity>()
  const claimed = new Map<string, UserEntry>()
  const keyOf = ({ field, value }: UserEntry) => `${field} ${value}`
  const byId = untilCleared((id: string) => users.find(id))
  const byEmail = untilCleared((email: string) => users.findByEmail(email))
  const byPhone = untilCleared((phone: string) => users.findByPhone(phone))
  const unfinished = untilCleared((id: string) => eventErasures.isUnfinished(id))

  async function takenBy({ email, phone }: User): Promise<AddressKind | null> {
    if (email !== null && (emails.has(email) || (await byEmail.read(email)) !== null)) return 'email'
    if (phone !== null && (phones.has(phone) || (await byPhone.read(phone)) !== null)) return 'phone'
    return null
  }

  return {
    async readAhead(rows) {
      for (const { clear } of [byId, byEmail, byPhone, unfinished]) clear()
      await Promise.all(
        rows.flatMap(({ user: { id, email, phone }, namesId }) => [
          namesId && byId.read(id),
          namesId && unfinished.read(id),
          email !== null && byEmail.read(email),
          phone !== null && byPhone.read(phone),
        ]),
      )
    },
    users: {
      find: async (id) => accepted.get(id) ?? byId.read(id),
      async add(user) {
        const taken = await takenBy(user)
        if (taken !== null) return taken
        accepted.set(user.id, user)
        if (user.email !== null) emails.add(user.email)
        if (user.phone !== null) phones.add(user.phone)
        return null
      },
      async remove(id) {
        const user = accepted.get(id)
        accepted.delete(id)
        if (user?.email) emails.delete(user.email)
        if (user?.phone) phones.delete(user.phone)
        return user !== undefined
      },
    },
    identities: {
      find: async (provider, subject) => linked.get(`${provider} ${subject}`) ?? identities.find(provider, subject),
      async add(identity) {
        linked.set(`${identity.provider} ${identity.subject}`, identity)
        return true
      },
    },
    sessions: { revokeAllOf: async () => [] },
    eventErasures: { isUnfinished: unfinished.read },
    // Decides what is recorded, and nothing is.
    eventLog: { mentions: async () => false },
    events: { add: async () => {} },
    profiles: { save: async () => true },
    profileIndex: {
      async claim(entries) {
        const holders = new Map((await profileIndex.holders(entries)).map((entry) => [keyOf(entry), entry.userId]))
        return entries.flatMap((entry) => {
          const holder = holders.get(keyOf(entry)) ?? claimed.get(keyOf(entry))?.userId
          if (holder === undefined) claimed.set(keyOf(entry), entry)
          return holder === undefined ? [] : { ...entry, holder }
        })
      },
      async release(entries) {
        for (const entry of entries) {
          if (claimed.get(keyOf(entry))?.userId === entry.userId) claimed.delete(keyOf(entry))
        }
      },
      addSearch: async () => {},
      removeSearch: async () => {},
      replaceSearch: async () => {},
    },
    tenant: {
      // Nothing is written, so nothing has to be locked.
      lockRevision: async () => (await tenant.get())?.revision ?? null,
      configuration: () => tenant.configuration(),
      findSchema: (version) => tenant.findSchema(version),
      schemasAfter: (ordinal) => tenant.schemasAfter(ordinal),
    },
  }
}

/** Keeps answers until they are cleared. */
function untilCleared<T>(ask: (key: string) => Promise<T>) {
  const answers = new Map<string, Promise<T>>()
  return {
    read(key: string): Promise<T> {
      const answer = answers.get(key) ?? ask(key)
      answers.set(key, answer)
      return answer
    },
    clear: () => answers.clear(),
  }
}
