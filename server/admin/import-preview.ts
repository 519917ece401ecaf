import type { Identity, IdentityStore } from '../accounts/identity.ts'
import type { AddressTaken, User, UserStore } from '../accounts/user.ts'
import type { Stores } from '../storage/storage.ts'

/** The stores that an import of one row uses. */
export interface ImportTarget {
  readonly users: Pick<UserStore, 'find' | 'add'>
  readonly identities: Pick<IdentityStore, 'find' | 'add'>
  readonly sessions: Pick<Stores['sessions'], 'revokeAllOf'>
  readonly profiles: Pick<Stores['profiles'], 'save'>
}

/**
 * Stores that answer as a transaction of the import would and write nothing: rows of the same file that were accepted
 * earlier count as stored. Keeps the ids and addresses of the file in memory.
 */
export function previewOf({ users, identities }: Pick<Stores, 'users' | 'identities'>): ImportTarget {
  const accepted = new Map<string, User>()
  const emails = new Set<string>()
  const phones = new Set<string>()
  const linked = new Map<string, Identity>()

  async function takenBy({ email, phone }: User): Promise<AddressTaken | null> {
    if (email !== null && (emails.has(email) || (await users.findByEmail(email)) !== null)) return 'email'
    if (phone !== null && (phones.has(phone) || (await users.findByPhone(phone)) !== null)) return 'phone'
    return null
  }

  return {
    users: {
      find: async (id) => accepted.get(id) ?? users.find(id),
      async add(user) {
        const taken = await takenBy(user)
        if (taken !== null) return taken
        accepted.set(user.id, user)
        if (user.email !== null) emails.add(user.email)
        if (user.phone !== null) phones.add(user.phone)
        return null
      },
    },
    identities: {
      find: async (provider, subject) => linked.get(`${provider} ${subject}`) ?? identities.find(provider, subject),
      async add(identity) {
        linked.set(`${identity.provider} ${identity.subject}`, identity)
        return true
      },
    },
    sessions: { revokeAllOf: async () => {} },
    profiles: { save: async () => true },
  }
}
