import type { z } from 'zod'
import type { addIdentity as operation } from '../../contract/accounts/account.ts'
import type { Call } from '../core/call.ts'
import type { Handler } from '../core/handler.ts'
import { record } from '../events/record.ts'
import type { SocialIdentity } from '../identity-providers/identity-providers.ts'
import type { Otp } from '../otp/otp.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { requireAllowedPassword } from '../passwords/require-allowed-password.ts'
import type { Services } from '../services.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { presentAccount } from './account.ts'
import { addressChanged, addressVerified, identityAdded, passwordChanged } from './account-events.ts'
import { isProven, kindOf, recipientOf } from './addresses/address.ts'
import { replaceSessions } from './addresses/address-codes.ts'
import { lockCaller, readBack } from './addresses/address-owner.ts'
import { withAdditionBudget } from './addresses/change-budget.ts'
import { giveAddress } from './end-attempts.ts'
import { notifyUser } from './notify-user.ts'
import { countFullUser, presentSession } from './sessions/start-session.ts'
import { addressOf, amrOf, attributeProof, consumeProof, findProof, isOutdated } from './sign-in/otp-proof.ts'
import { newIdentity, useIdToken, verifyProviderProof } from './sign-in/provider-proof.ts'
import { requireAuthMethod } from './sign-in/require-auth-method.ts'
import { canSignIn, requireFresh } from './sign-in/require-fresh.ts'
import type { User } from './user.ts'

type LinkingCall = Call<typeof operation>
type Body = z.output<typeof operation.body>
/** The result of linking: the notice to send, if anything changed, and the methods of the proof (RFC 8176). */
interface Linked {
  readonly notice: 'identity_added' | 'password_added' | null
  readonly amr: readonly string[]
}
/** Links the proven identity to a user whose row is locked. */
type Link = (tx: Tx, user: User) => Promise<Linked>
/** Consumes a verified proof, before the user is locked: a sign-in with the same proof takes the same order. */
type Consume = (tx: Tx) => Promise<Link>

/**
 * `POST /account/identities` (ACCOUNT-5, ACCOUNT-6): adds a way to sign in to the account. A guest becomes a full user
 * and keeps its id and profile. Its sessions end, because an attacker may have planted them, and the response contains
 * a new session.
 */
export const addIdentity: Handler<typeof operation> = async ({ body }, call, services) => {
  requireFresh(call)
  requireAuthMethod(body.method, call)
  const { user, opened } = await withAdditionBudget(call, services.budgets, () => add(body, call, services))
  const account = await presentAccount(call.storage, user)
  return opened === null ? account : { ...account, session: presentSession(opened, call, services) }
}

async function add(body: Body, call: LinkingCall, services: Services) {
  const { configuration } = call.snapshot
  const consume = await prove(body, call, services)
  return call.storage.write(async (tx) => {
    const link = await consume(tx)
    const before = await lockCaller(tx, call)
    const { notice, amr } = await link(tx, before)
    if (before.guest) {
      await tx.users.makeFull(before.id, call.now)
      countFullUser(tx, call.tenantId, services.counts)
    }
    if (notice !== null) await notifyUser(tx, before, notice, call, services)
    const user = await readBack(tx, before.id)
    const isFirst = !canSignIn(before, configuration) && canSignIn(user, configuration)
    const opened = isFirst ? await replaceSessions(tx, user, amr, call, services) : null
    return { user, opened, isAdded: notice !== null }
  })
}

async function prove(body: Body, call: LinkingCall, services: Services): Promise<Consume> {
  switch (body.method) {
    case 'password': {
      const link = await choosePassword(body, call, services.hasher)
      return async () => link
    }
    case 'otp':
      await findProof(body.token, call)
      return async (tx) => linkAddress(await consumeProof(tx, body.token, call), call)
    default: {
      const social = await verifyProviderProof(body, call, services.identityProviders)
      return async (tx) => {
        await useIdToken(tx, social, call)
        return linkProvider(social, call)
      }
    }
  }
}

/** A password signs in with an e-mail address: the account's, or the one in the request, which stays unverified. */
async function choosePassword(
  { password, email }: Extract<Body, { method: 'password' }>,
  call: LinkingCall,
  hasher: PasswordHasher,
): Promise<Link> {
  const { now, refuse, snapshot, user } = call
  const { enumerationProtection } = snapshot.configuration.security
  const requireFor = (owner: User) => {
    if (owner.email === null && enumerationProtection) throw refuse('EMAIL_NOT_SET')
    if (owner.email === null && email === undefined)
      throw refuse('VALIDATION_ERROR', { validation: { email: 'Required' } })
    if (owner.email !== null && email !== undefined && email !== owner.email)
      throw refuse('VALIDATION_ERROR', { validation: { email: 'Validation rule not met' } })
    // The password of an account that lost its e-mail address signs in with nothing, so it is replaced.
    if (owner.hasPassword && owner.email !== null) throw refuse('IDENTITY_ALREADY_LINKED')
  }
  requireAllowedPassword(password, user.email ?? email ?? null, call)
  requireFor(user)
  const passwordHash = await hasher.hash(password, call)
  return async (tx, locked) => {
    requireFor(locked)
    if (locked.email === null && email !== undefined && !(await tx.users.claimEmail(locked.id, email, now))) {
      throw refuse('IDENTITY_LINKED_ELSEWHERE')
    }
    await tx.users.setPassword(locked.id, null, passwordHash, now)
    if (locked.email === null && email !== undefined) await record(tx, call, addressChanged(locked, 'email', email))
    await record(tx, call, passwordChanged(locked.id))
    return { notice: 'password_added', amr: ['pwd'] }
  }
}

/** An address proven by a one-time password. */
function linkAddress(otp: Otp, call: LinkingCall): Link {
  return async (tx, locked) => {
    if (await isOutdated(tx, otp, locked, call.now)) throw call.refuse('OTP_NOT_CONSUMABLE')
    await attributeProof(tx, otp, call.session, call)
    const address = addressOf(otp)
    const kind = kindOf(address)
    const own = locked[kind]
    const given = recipientOf(address)
    if (own === given) {
      await tx.users.markVerified(locked.id, address, call.now)
      if (!isProven(locked, address)) await record(tx, call, addressVerified(locked, address))
      return { notice: isProven(locked, address) ? null : 'identity_added', amr: amrOf(otp) }
    }
    if (own !== null) throw call.refuse('IDENTITY_ALREADY_LINKED')
    if (!(await giveAddress(tx, locked.id, address, call.now))) throw call.refuse('IDENTITY_LINKED_ELSEWHERE')
    await record(tx, call, addressChanged(locked, kind, given))
    return { notice: 'identity_added', amr: amrOf(otp) }
  }
}

/**
 * An account at a provider. A user without an e-mail address also gets the one that the provider verified, if no other
 * user has it.
 */
function linkProvider(social: SocialIdentity, call: LinkingCall): Link {
  const { now, refuse } = call
  return async (tx, locked) => {
    const known = await tx.identities.find(social.provider, social.subject)
    if (known !== null && known.userId !== locked.id) throw refuse('IDENTITY_LINKED_ELSEWHERE')
    // The address first, as a sign-in takes them: in the other order the two can deadlock.
    const gainsAddress = await takeVerifiedEmail(tx, locked, social, call)
    if (known === null) {
      const identity = newIdentity(social, locked, now)
      if (!(await tx.identities.add(identity)))
        throw new WriteConflict('Another transaction added the same identity first')
      await record(tx, call, identityAdded(identity))
    }
    return { notice: gainsAddress || known === null ? 'identity_added' : null, amr: [social.provider] }
  }
}

/** @returns whether the user can sign in with the address now, and could not before */
async function takeVerifiedEmail(
  tx: Tx,
  user: User,
  { email, emailVerified }: SocialIdentity,
  call: LinkingCall,
): Promise<boolean> {
  if (email === null || !emailVerified) return false
  const address = { email }
  if (user.email === email) {
    await tx.users.markVerified(user.id, address, call.now)
    if (isProven(user, address)) return false
    await record(tx, call, addressVerified(user, address))
    return true
  }
  if (user.email !== null || !(await giveAddress(tx, user.id, address, call.now))) return false
  await record(tx, call, addressChanged(user, 'email', email))
  return true
}
