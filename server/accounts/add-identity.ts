import type { z } from 'zod'
import { addIdentity as operation } from '../../contract/account.ts'
import type { Handler, UserCall } from '../handler.ts'
import type { IdentityProviders } from '../identity-providers/identity-providers.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { requireAllowedPassword } from '../passwords/require-allowed-password.ts'
import { invalid, refusalsOf } from '../service-error.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { presentAccount } from './account.ts'
import { holdCaller, readBack } from './address-owner.ts'
import { addressOf, consumeProof, findProof } from './otp-proof.ts'
import { newIdentity, verifyProviderProof } from './provider-proof.ts'
import { requireAuthMethod } from './require-auth-method.ts'
import type { User } from './user.ts'

const refuse = refusalsOf(operation)

/** What proofs are judged with. */
export interface AddIdentityServices {
  readonly hasher: PasswordHasher
  readonly identityProviders: IdentityProviders
}

type Body = z.output<typeof operation.body>
/** Links what was proven to a user who is held. */
type Link = (tx: Tx, user: User) => Promise<void>

/**
 * `POST /account/identities` (design 6): a further way into the account of the signed-in user. A guest becomes a full
 * user by it and keeps id and profile.
 */
export const addIdentity =
  (services: AddIdentityServices): Handler<typeof operation> =>
  async ({ body }, call) => {
    requireAuthMethod(body.method, call.tenant.configuration)
    const link = await prove(body, call, services)
    const user = await call.storage.write(async (tx) => {
      const held = await holdCaller(tx, call)
      await link(tx, held)
      if (held.guest) await tx.users.makeFull(held.id, call.now)
      return readBack(tx, held.id)
    })
    return presentAccount(call.storage, user)
  }

function prove(body: Body, call: UserCall, { hasher, identityProviders }: AddIdentityServices): Promise<Link> {
  switch (body.method) {
    case 'password':
      return choosePassword(body, call, hasher)
    case 'otp':
      return proveAddress(body.token, call)
    default:
      return proveProvider(body, call, identityProviders)
  }
}

/** A password signs in with an e-mail address: the account's, or one given along, unproven as that of a sign-up. */
async function choosePassword(
  { password, email }: Extract<Body, { method: 'password' }>,
  call: UserCall,
  hasher: PasswordHasher,
): Promise<Link> {
  const { now, tenant, user } = call
  const { configuration } = tenant
  requireAllowedPassword(password, configuration)
  if (user.email === null && configuration.security.enumerationProtection) throw refuse('EMAIL_NOT_SET')
  if (user.email === null && email === undefined) throw invalid({ email: 'Required' })
  if (user.email !== null && email !== undefined && email !== user.email) {
    throw invalid({ email: 'Validation rule not met' })
  }
  if (user.hasPassword) throw refuse('IDENTITY_ALREADY_LINKED')
  const passwordHash = await hasher.hash(password, call)
  return async (tx, held) => {
    if (held.hasPassword) throw refuse('IDENTITY_ALREADY_LINKED')
    if (held.email === null && email === undefined) throw refuse('EMAIL_NOT_SET')
    if (held.email === null && email !== undefined && !(await tx.users.claimEmail(held.id, email, now))) {
      throw refuse('IDENTITY_LINKED_ELSEWHERE')
    }
    await tx.users.setPassword(held.id, null, passwordHash, now)
  }
}

/** An address proven by a one-time password signs in by those. */
async function proveAddress(token: string, call: UserCall): Promise<Link> {
  await findProof(token, call)
  return async (tx, held) => {
    const otp = await consumeProof(tx, token, call.now)
    await tx.otps.attribute(otp.id, held.id)
    const address = addressOf(otp)
    const [own, given] = 'email' in address ? [held.email, address.email] : [held.phone, address.phone]
    if (own === given) {
      await tx.users.markVerified(held.id, address, call.now)
      return
    }
    if (own !== null) throw refuse('IDENTITY_ALREADY_LINKED')
    if (!(await tx.users.setAddress(held.id, address, call.now))) throw refuse('IDENTITY_LINKED_ELSEWHERE')
  }
}

/** An account at a provider. An address that the provider has verified becomes the user's who had none, if it is free. */
async function proveProvider(
  body: Extract<Body, { idToken: string }>,
  call: UserCall,
  providers: IdentityProviders,
): Promise<Link> {
  const { now } = call
  const social = await verifyProviderProof(body, call, providers)
  return async (tx, held) => {
    const known = await tx.identities.find(social.provider, social.subject)
    if (known !== null && known.userId !== held.id) throw refuse('IDENTITY_LINKED_ELSEWHERE')
    if (known === null && !(await tx.identities.add(newIdentity(social, held.id, now)))) {
      throw new WriteConflict('The same identity came first')
    }
    if (social.email === null || !social.emailVerified) return
    const address = { email: social.email }
    if (held.email === social.email) await tx.users.markVerified(held.id, address, now)
    else if (held.email === null) await tx.users.setAddress(held.id, address, now)
  }
}
