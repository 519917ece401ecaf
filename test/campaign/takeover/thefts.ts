import assert from 'node:assert/strict'
import { storedOtp } from '../../support/databases/stored-rows.ts'
import type { TestServiceOptions, TestTenant } from '../../support/service.ts'
import { enteredCode, type Recipient } from '../../support/sign-in-methods.ts'
import { unwatched } from '../progress.ts'
import { seededRandom } from '../seeded-random.ts'
import { acts, chooseAct } from './acts.ts'
import type { World } from './people.ts'
import {
  clientOf,
  type HeldSession,
  hold,
  openWorld,
  type Person,
  received,
  refresh,
  requireRefusal,
} from './people.ts'

const turnsOfARound = 12
const freshMs = 600_000

/**
 * The acts of a thief. Those of operators and of time are left out, the deletion of the account, and password changes, of which
 * each refuses earlier codes, at most five in an hour.
 */
const { suspend, deleteUser, createUser, configure, wait, deleteAccount, changePassword, ...actsOfThieves } = acts

/** An account of which a thief has stolen a session. Its owner receives the messages to its oldest address. */
interface Theft {
  readonly world: World
  readonly tenant: TestTenant
  readonly owner: Person
  readonly thief: Person
  readonly userId: string
  readonly kind: 'email' | 'phone'
  readonly to: Recipient
  readonly done: string[]
}

/**
 * Thieves act at random with stolen sessions and with what they add to the accounts. At random moments each owner gets into the
 * account with a code to its oldest address, whatever the thief does meanwhile, after an undo if that address was lost, and
 * after a reset if there is a password. After an undo, no session that the thief holds and no code that they have asked for
 * works on the account. What ends codes for a documented time only is over when the owner signs in: the stolen session is not
 * fresh. An owner who removes what the thief has added, and signs out the others, is rid of the thief.
 * @returns how often owners got in
 */
export async function runThefts(
  rounds: number,
  seed: number,
  { watch = unwatched, ...options }: TestServiceOptions & { watch?: typeof unwatched } = {},
): Promise<number> {
  let entries = 0
  for (let round = 0; round < rounds; round++) {
    await using world = await openWorld(seededRandom(seed, 'theft', round), options)
    const done: string[] = []
    try {
      entries += await playRound(world, done)
    } catch (error) {
      const last = done.slice(-20).join(', ')
      throw new Error(`seed ${seed}, round ${round}, after ${last}: ${(error as Error).message}`, { cause: error })
    }
    watch(round + 1, `owners got in ${entries} times`)
  }
  return entries
}

async function playRound(world: World, done: string[]): Promise<number> {
  const { random, service } = world
  const [owner, , thief] = world.people as [Person, Person, Person]
  const tenant = random.pick(world.tenants)
  const kind = random.pick(['email', 'phone'] as const)
  const to = kind === 'email' ? { email: owner.emails[0]! } : { phone: owner.phones[0]! }
  const { user } = await signIn(owner, tenant, await enteredCode(service, tenant, to))
  const theft: Theft = { world, tenant, owner, thief, userId: user.id, kind, to, done }
  for (let turn = 0; turn < turnsOfARound; turn++) {
    thief.sessions.push({ ...owner.sessions.at(-1)! })
    service.clock.advance(1_000)
    await actAsThief(theft, 16)
    // While the codes that the thief has asked for are valid.
    if (random.below(2) === 0) await undoLoss(theft)
    service.clock.advance(freshMs)
    await enter(theft)
    if (random.below(3) === 0) {
      await removeAdditions(theft)
      await signOutOthers(theft)
      await actAsThief(theft, 16)
      await requireOut(theft)
    } else await signOutOthers(theft)
  }
  return turnsOfARound
}

async function signIn(owner: Person, tenant: TestTenant, token: string, endOtherSessions = false) {
  const session = await tenant.client.signIn({ method: 'otp', token, endOtherSessions })
  hold(owner, tenant, session)
  return session
}

const isOpen = (session: HeldSession): Promise<boolean> =>
  clientOf(session)
    .getAccount()
    .then(
      () => true,
      () => false,
    )

const sessionOf = ({ owner }: Theft): HeldSession => owner.sessions.at(-1)!

/** Acts alone and at once. */
async function actAsThief({ world, tenant, thief, done }: Theft, times: number): Promise<void> {
  for (const session of thief.sessions.filter(({ hasEnded }) => !hasEnded)) await refresh(session)
  for (let left = times; left > 0; ) {
    const together = Math.min(left, world.random.below(4) === 0 ? 3 : 1)
    left -= together
    await Promise.all(
      Array.from({ length: together }, async () => {
        const name = chooseAct(actsOfThieves, world.random)
        await actsOfThieves[name as keyof typeof actsOfThieves]!.act(world, thief, tenant).then(
          () => done.push(name),
          requireRefusal,
        )
      }),
    )
    world.service.clock.advance(1_000)
  }
}

/**
 * The thief may take the address away once, as one that an undo has restored stays, and refuse codes once with a sign-out of
 * all that ends the stolen session, too.
 */
async function enter(theft: Theft): Promise<void> {
  const { world, tenant, owner, userId, to, done } = theft
  for (let attempt = 0; attempt < 3; attempt++) {
    const isReset = await restoreAddress(theft)
    done.push('owner asks')
    const wasOpen = await isOpen(sessionOf(theft))
    const token = await enteredCode(world.service, tenant, to)
    if (!isReset) await actAsThief(theft, 6)
    const endsOthers = world.random.below(2) === 0
    const entered = await signIn(owner, tenant, token, endsOthers).catch((error) => error)
    if (wasOpen && entered.code === 'OTP_NOT_CONSUMABLE' && !(await isOpen(sessionOf(theft)))) continue
    if (entered instanceof Error) throw entered
    done.push('owner is in')
    if (entered.user.id === userId) {
      if (endsOthers) await requireOut(theft)
      return
    }
    // The address was lost before the sign-in, which made a new account.
    await clientOf(sessionOf(theft)).deleteAccount()
  }
  assert.fail('the owner does not get into the account')
}

/** Undoes the loss of the address. */
async function undoLoss(theft: Theft): Promise<void> {
  const { world, tenant, owner, to, done } = theft
  const isLost = async () => (await readUser(theft))[theft.kind] !== Object.values(to)[0]
  if (!(await isLost())) return
  for (const { otpId: id, code } of (await received(world, owner, tenant)).toReversed()) {
    await tenant.client.recoverAccount({ id, code }).catch(requireRefusal)
    if (!(await isLost())) break
  }
  done.push('owner undoes')
  assert.ok(!(await isLost()), 'the owner cannot undo the loss of the address')
  await requireOut(theft)
  await requireCodesEnded(theft)
}

const readUser = ({ world, tenant: { tenantId }, userId }: Theft) => world.service.admin.getUser({ tenantId, userId })

/** Undoes the loss of the address, and resets a password. @returns whether it did the latter */
async function restoreAddress(theft: Theft): Promise<boolean> {
  const { world, tenant, to, done } = theft
  await undoLoss(theft)
  if (!('email' in to) || !(await readUser(theft)).methods.includes('password')) return false
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email: to.email })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await world.service.codeOf(id) })
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: `reset ${id}` })
  done.push('owner resets')
  world.service.clock.advance(1_000)
  return true
}

async function removeAdditions(theft: Theft): Promise<void> {
  const client = clientOf(sessionOf(theft))
  for (;;) {
    const { identities } = await client.getAccount()
    const added = identities.find(({ id }) => id !== theft.kind)
    if (added === undefined) return
    await client.removeIdentity({ identityId: added.id })
    theft.done.push(`owner removes ${added.method}`)
  }
}

async function signOutOthers(theft: Theft): Promise<void> {
  await clientOf(sessionOf(theft)).signOut({ scope: 'others' })
  theft.done.push('owner signs out others')
}

async function requireOut({ thief, userId }: Theft): Promise<void> {
  for (const session of thief.sessions) {
    const account = await clientOf(session)
      .getAccount()
      .catch(() => null)
    assert.notEqual(account?.id, userId, 'the thief is in the account')
  }
}

/** What the thief has asked for changes the account no more, and signs in to it no more, even if they read every message. */
async function requireCodesEnded({ world, tenant, thief, userId }: Theft): Promise<void> {
  for (const { id, scope } of thief.asked.filter((asked) => asked.tenant === tenant).slice(-12)) {
    const code = await world.service.codeOf(id).catch(() => '')
    const verified = await tenant.client.verifyOtp({ id, scope, code }).then(() => true, requireRefusal)
    if (scope === 'otp_signin') {
      const session = await tenant.client.signIn({ method: 'otp', token: id }).catch(requireRefusal)
      assert.notEqual(session?.user.id, userId, 'a code from before the undo signs in')
    } else if (storedOtp(world.service, id)['user_id'] === userId) {
      assert.notEqual(verified, true, `a code from before the undo is accepted: ${scope}`)
    }
  }
}
