import type { TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'
import { authOf, clientOf, type HeldSession, hold, methods, type Person, received, type World } from './people.ts'

/** What a person, an operator or the time does next. Refusals are expected: people try what is not theirs. */
interface Act {
  /** How often it is chosen, beside the others. */
  readonly weight: number
  act(world: World, person: Person, tenant: TestTenant): Promise<void>
}

const isLikely = (random: Random, share: number): boolean => random.next() < share

/** One of the last few, which are the likeliest to work still. */
const recent = <T>(random: Random, items: readonly T[]): T | undefined =>
  items.length === 0 ? undefined : random.pick(items.slice(-6))

/** An address of the person more often than of another, in any spelling. */
function someEmail({ random, people }: World, { emails }: Person): string {
  const email = random.pick(isLikely(random, 0.6) ? emails : people.flatMap((one) => one.emails))
  return isLikely(random, 0.2) ? email.toUpperCase() : email
}

const somePhone = ({ random, people }: World, { phones }: Person): string =>
  random.pick(isLikely(random, 0.6) ? phones : people.flatMap((one) => one.phones))

function newPassword({ name, passwords }: Person, email?: string): string {
  const password = `password ${passwords.length} of ${name}`
  passwords.push({ password, email })
  return password
}

/** A token about an address of the person, or one that claims another's without being authoritative for it. */
function googleToken({ random, people, google }: World, { name, emails }: Person): Promise<string> {
  if (isLikely(random, 0.6)) return google.sign({ sub: name, email: random.pick(emails), email_verified: true })
  const email = random.pick(people.flatMap((one) => one.emails).filter((one) => !emails.includes(one)))
  return google.sign({ sub: name, email, email_verified: isLikely(random, 0.5), hd: undefined })
}

/** An act with a session that the person holds, sometimes one that has ended. */
function withSession(
  weight: number,
  act: (world: World, person: Person, session: HeldSession) => Promise<unknown>,
): Act {
  return {
    weight,
    async act(world, person) {
      const usable = person.sessions.filter(({ hasEnded }) => !hasEnded || isLikely(world.random, 0.1))
      if (usable.length > 0) await act(world, person, world.random.pick(usable))
    },
  }
}

/** A verified code to sign in with, of the tenant. */
const proofOf = ({ random }: World, { entered }: Person, tenant: TestTenant) =>
  recent(
    random,
    entered.filter((one) => one.tenant === tenant && one.scope === 'otp_signin'),
  )

async function someUser({ service, random }: World, { tenantId }: TestTenant) {
  const { items } = await service.admin.listUsers({ tenantId }, { limit: 200 })
  return items.length === 0 ? undefined : { tenantId, userId: random.pick(items).id }
}

/** The name of one of them, by their weights. */
export function chooseAct(from: Readonly<Record<string, Act>>, random: Random): string {
  const weights = Object.values(from).reduce((sum, { weight }) => sum + weight, 0)
  let left = random.next() * weights
  for (const [name, { weight }] of Object.entries(from)) {
    left -= weight
    if (left < 0) return name
  }
  throw new Error('The random number is not below 1')
}

export const acts: Readonly<Record<string, Act>> = {
  signUp: {
    weight: 4,
    async act(world, person, tenant) {
      const token = proofOf(world, person, tenant)?.id
      const email = someEmail(world, person)
      const password = newPassword(person, email)
      hold(person, tenant, await tenant.client.signUp({ method: 'password', email, password, token }))
    },
  },
  signInByPassword: {
    weight: 8,
    async act(world, person, tenant) {
      const known = recent(world.random, person.passwords)
      if (known === undefined) return
      const { password, email = someEmail(world, person) } = known
      const proof = { method: 'password', email, password, endOtherSessions: isLikely(world.random, 0.2) } as const
      hold(person, tenant, await tenant.client.signIn(proof))
    },
  },
  signInByCode: {
    weight: 8,
    async act(world, person, tenant) {
      const token = proofOf(world, person, tenant)?.id
      if (token === undefined) return
      const endOtherSessions = isLikely(world.random, 0.2)
      hold(person, tenant, await tenant.client.signIn({ method: 'otp', token, endOtherSessions }))
    },
  },
  signInByGoogle: {
    weight: 3,
    async act(world, person, tenant) {
      const idToken = await googleToken(world, person)
      const endOtherSessions = isLikely(world.random, 0.2)
      hold(person, tenant, await tenant.client.signIn({ method: 'google', idToken, endOtherSessions }))
    },
  },
  signInAsGuest: {
    weight: 1,
    act: async (_world, person, tenant) => hold(person, tenant, await tenant.client.signIn({ method: 'guest' })),
  },
  askForCode: {
    weight: 7,
    async act(world, person, tenant) {
      const to = isLikely(world.random, 0.7) ? { email: someEmail(world, person) } : { phone: somePhone(world, person) }
      const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', ...to })
      person.asked.push({ tenant, id, scope: 'otp_signin' })
    },
  },
  askForReset: {
    weight: 4,
    async act(world, person, tenant) {
      const { id } = await tenant.client.resetPassword({ step: 'challenge', email: someEmail(world, person) })
      person.asked.push({ tenant, id, scope: 'reset_password' })
    },
  },
  askForVerification: withSession(4, async ({ random }, person, session) => {
    const scope = isLikely(random, 0.7) ? 'email_verification' : 'phone_verification'
    const { id } = await clientOf(session).issueOtp({ scope })
    person.asked.push({ tenant: session.tenant, id, scope })
  }),
  enterCode: {
    weight: 16,
    async act(world, person) {
      const asked = recent(world.random, person.asked)
      if (asked === undefined) return
      const { tenant, id, scope } = asked
      const code = (await received(world, person, tenant)).findLast(({ otpId }) => otpId === id)?.code
      if (code === undefined) return
      const { session } = await tenant.client.verifyOtp({ id, scope, code })
      person.entered.push(asked)
      if (session) hold(person, tenant, session)
    },
  },
  confirmReset: {
    weight: 6,
    async act({ random }, person) {
      const proof = recent(
        random,
        person.entered.filter(({ scope }) => scope === 'reset_password'),
      )
      if (proof === undefined) return
      const password = newPassword(person)
      await proof.tenant.client.resetPassword({ step: 'confirm', token: proof.id, password })
    },
  },
  undoChange: {
    weight: 6,
    async act(world, person, tenant) {
      const own = new Set(person.asked.map(({ id }) => id))
      const notices = (await received(world, person, tenant)).filter(({ otpId }) => !own.has(otpId))
      const notice = recent(world.random, notices)
      if (notice !== undefined) await tenant.client.recoverAccount({ id: notice.otpId, code: notice.code })
    },
  },
  changeEmail: withSession(6, async (world, person, session) => {
    const { id } = await clientOf(session).changeEmail({ email: someEmail(world, person) })
    person.asked.push({ tenant: session.tenant, id, scope: 'email_verification' })
  }),
  changePhone: withSession(4, async (world, person, session) => {
    const { id } = await clientOf(session).changePhone({ phone: somePhone(world, person) })
    person.asked.push({ tenant: session.tenant, id, scope: 'phone_verification' })
  }),
  addIdentity: withSession(8, async (world, person, held) => {
    const token = proofOf(world, person, held.tenant)?.id
    const email = isLikely(world.random, 0.5) ? someEmail(world, person) : undefined
    const identity = world.random.pick([
      { method: 'password', password: newPassword(person, email), email },
      { method: 'google', idToken: await googleToken(world, person) },
      ...(token === undefined ? [] : [{ method: 'otp', token } as const]),
    ] as const)
    const { session } = await clientOf(held).addIdentity(identity)
    if (session) hold(person, held.tenant, session)
  }),
  removeIdentity: withSession(3, async ({ random }, _person, session) => {
    const { identities } = await clientOf(session).getAccount()
    if (identities.length > 0) await clientOf(session).removeIdentity({ identityId: random.pick(identities).id })
  }),
  changePassword: withSession(3, (_world, person, session) =>
    clientOf(session).changePassword({ password: newPassword(person) }),
  ),
  stepUp: withSession(2, async (world, person, session) => {
    const token = proofOf(world, person, session.tenant)?.id
    if (token === undefined) return
    session.accessToken = (await clientOf(session).stepUp({ method: 'otp', token })).accessToken
  }),
  signOut: withSession(1, async ({ random }, _person, session) => {
    const scope = random.pick(['this', 'others', 'all'] as const)
    await clientOf(session).signOut({ scope })
    if (scope !== 'others') session.hasEnded = true
  }),
  deleteAccount: withSession(2, async (_world, _person, session) => {
    await clientOf(session).deleteAccount()
    session.hasEnded = true
  }),
  suspend: {
    weight: 0.7,
    async act(world, _person, tenant) {
      const user = await someUser(world, tenant)
      if (user) await world.service.admin.updateUser(user, { suspension: isLikely(world.random, 0.4) ? {} : null })
    },
  },
  deleteUser: {
    weight: 1.5,
    async act(world, _person, tenant) {
      const user = await someUser(world, tenant)
      if (user) await world.service.admin.deleteUser(user)
    },
  },
  createUser: {
    weight: 0.5,
    async act({ service, random, people }, _person, { tenantId }) {
      const email = random.pick(people.flatMap(({ emails }) => emails))
      await service.admin.createUser({ tenantId }, { email, password: 'known to no person' })
    },
  },
  configure: {
    weight: 0.7,
    async act({ service, google, random }, _person, { tenantId }) {
      const enabled = methods.filter(() => isLikely(random, 0.85))
      const security = { enumerationProtection: isLikely(random, 0.3), freshSeconds: random.pick([60, 600]) }
      await service.admin.updateConfiguration({ tenantId }, { auth: authOf(google, enabled), security })
    },
  },
  wait: {
    weight: 3,
    async act({ service, random }) {
      service.clock.advance(1_000 * random.pick([1, 31, 61, 300, 700, 3_600, 26 * 3_600]))
      await service.service.services.housekeeping.run()
    },
  },
}
