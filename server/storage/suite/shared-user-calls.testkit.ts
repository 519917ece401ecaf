import { UserOrder, UserState } from '../../../contract/accounts/user.ts'
import type { User } from '../../accounts/user.ts'
import type { SharedCall } from './isolation-calls.testkit.ts'
import { t0 } from './samples.testkit.ts'
import { idsOf, shared, sharedPhoneOf } from './two-tenants.testkit.ts'

const a = idsOf('A')
const b = idsOf('B')
const later = t0 + 1000
const all = { limit: 100, cursor: null }

/** The phone number and the providers distinguish two users with the same id. */
const seen = (user: User | null | undefined) => user && [user.phone, ...user.providers]
const seenAtB = [sharedPhoneOf('B'), 'google']

const first = { limit: 100, after: null }

/** The lists by state: of users with numbers, or of guests, who have none. */
function inEachState(): Record<string, SharedCall> {
  const full = [seenAtB, [b.phone, 'google']]
  const expected: Record<UserState, unknown[]> = {
    suspended: full,
    restricted: full,
    guest: [[null], [null]],
    unverified: full,
  }
  return Object.fromEntries(
    UserOrder.options.flatMap((order) =>
      UserState.options.map((state): [string, SharedCall] => [
        `users.list ${state}, ${order} first`,
        [
          async ({ users }) => (await users.list({ ...all, state, order })).map(seen),
          order === 'oldest' ? expected[state] : expected[state].toReversed(),
        ],
      ]),
    ),
  )
}

/** Calls on users. */
export const sharedUserCalls: Record<string, SharedCall> = {
  'users.find': [async ({ users }) => seen(await users.find(shared.user)), seenAtB],
  'sessions.findWithUser': [
    async ({ sessions }) => {
      const found = await sessions.findWithUser(shared.session)
      return [found?.session.amr, seen(found?.user)]
    },
    [['B'], seenAtB],
  ],
  'users.lock': [async ({ users }) => seen(await users.lock(shared.user)), seenAtB],
  'users.findByEmail': [async ({ users }) => seen((await users.findByEmail(shared.email))?.user), seenAtB],
  'users.findByEmail, evenly': [
    async ({ users }) => seen((await users.findByEmail(shared.email, { evenly: true }))?.user),
    seenAtB,
  ],
  'users.findCredential': [async ({ users }) => seen((await users.findCredential(shared.user))?.user), seenAtB],
  'users.findByPhone': [async ({ users }) => seen(await users.findByPhone(sharedPhoneOf('B'))), seenAtB],
  'users.list': [
    async ({ users }) => (await users.list(all)).map(seen),
    [[null], [null], seenAtB, [b.phone, 'google']],
  ],
  'users.list, newest first': [
    async ({ users }) => (await users.list({ ...all, order: 'newest' })).map(seen),
    [[b.phone, 'google'], seenAtB, [null], [null]],
  ],
  ...inEachState(),
  'users.search by e-mail address': [
    async ({ users }) => (await users.search({ kind: 'email', prefix: 'b' }, first)).users.map(seen),
    [seenAtB],
  ],
  'users.search by number': [
    async ({ users }) =>
      (await users.search({ kind: 'phone', prefix: '+', state: 'unverified' }, first)).users.map(seen),
    [[b.phone, 'google'], seenAtB],
  ],
  'users.listCredentials': [
    async ({ users }) => (await users.listCredentials(all)).map(({ user }) => seen(user)),
    [[null], [null], seenAtB, [b.phone, 'google']],
  ],
  'users.idleGuests': [async ({ users }) => (await users.idleGuests(later, 9)).sort(), [shared.guest, b.guest]],
  'users.fastDigests': [
    async ({ users }) => (await users.fastDigests('', 9)).map(({ id }) => id),
    [shared.user, b.user],
  ],
  'users.restrict': [async ({ users }) => seen(await users.restrict(shared.user, {}, later)), seenAtB],
  'users.touch': [({ users }) => users.touch(shared.user, later), true],
  'users.confirmPassword': [
    async ({ users }) => seen(await users.confirmPassword(shared.user, shared.passwordHash)),
    seenAtB,
  ],
  'users.rehashPassword': [
    ({ users }) => users.rehashPassword(shared.user, shared.passwordHash, 'rehashed'),
    undefined,
  ],
  'formPrompts.record': [({ formPrompts }) => formPrompts.record(shared.user, later, later), true],
  'formPrompts.latestOf': [
    async ({ formPrompts }) => {
      await formPrompts.record(shared.user, later, later)
      return formPrompts.latestOf(shared.user)
    },
    later,
  ],
  'users.takeAddress e-mail': [
    async ({ users }) => {
      const taken = await users.takeAddress(shared.user, { email: shared.email }, later)
      return [taken, await users.claimEmail(shared.user, shared.email, later)]
    },
    [true, true],
  ],
  'users.takeAddress phone': [
    async ({ users }) => {
      const phone = sharedPhoneOf('B')
      const taken = await users.takeAddress(shared.user, { phone }, later)
      return [taken, await users.setAddress(shared.user, { phone }, later)]
    },
    [true, true],
  ],
  'users.setPassword': [({ users }) => users.setPassword(shared.user, null, 'new', later), true],
  'users.resetPassword': [({ users }) => users.resetPassword(shared.user, 'newer', later), true],
  'users.markVerified': [({ users }) => users.markVerified(shared.user, { email: shared.email }, later), true],
  'users.unverifyAddress e-mail': [({ users }) => users.unverifyAddress(shared.user, 'email', later), undefined],
  'users.unverifyAddress phone': [({ users }) => users.unverifyAddress(shared.user, 'phone', later), undefined],
  'users.claimEmail: another tenant’s is free': [({ users }) => users.claimEmail(shared.user, a.email, later), true],
  'users.setAddress: another tenant’s e-mail address is free': [
    ({ users }) => users.setAddress(shared.user, { email: a.email }, later),
    true,
  ],
  'users.setAddress: another tenant’s phone number is free': [
    ({ users }) => users.setAddress(shared.user, { phone: a.phone }, later),
    true,
  ],
  'users.makeFull': [({ users }) => users.makeFull(shared.guest, later), undefined],
  'users.endCodes': [
    async ({ users }) => {
      await users.endCodes(shared.user, later)
      return (await users.find(shared.user))?.codesValidFrom
    },
    later,
  ],
  'users.removePassword': [({ users }) => users.removePassword(shared.user, later), undefined],
  'users.removeAddress e-mail': [({ users }) => users.removeAddress(shared.user, 'email', later), undefined],
  'users.removeAddress phone': [({ users }) => users.removeAddress(shared.user, 'phone', later), undefined],
}
