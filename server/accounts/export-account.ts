import type { exportAccount as operation } from '../../contract/account.ts'
import { timestamp } from '../../contract/envelope.ts'
import type { Message } from '../delivery/message.ts'
import type { Handler } from '../handler.ts'
import { type Otp, stateOf } from '../otp/otp.ts'
import { compiledSchemaOf } from '../profiles/compiled-profile-schemas.ts'
import { migrated, presentProfile } from '../profiles/read-profile.ts'
import { presentIdentities } from './identity.ts'
import { presentRestriction } from './restriction.ts'
import { presentSessionDevice } from './session.ts'
import { presentManagedUser } from './user.ts'

/** `GET /account/export` (design 6): everything held about the user, secrets aside. */
export const exportAccount =
  (): Handler<typeof operation> =>
  async (_input, { now, tenant, storage, user, session: current }) => {
    const profile = await storage.profiles.find(user.id)
    const sessions = await storage.sessions.listOf(user.id, now)
    return {
      exportedAt: timestamp(now),
      // A suspension that is over is held still.
      user: { ...presentManagedUser(user, now), suspension: user.suspension && presentRestriction(user.suspension) },
      identities: presentIdentities(user, await storage.identities.listOf(user.id)),
      profile: profile && presentProfile(await migrated(profile, tenant, storage), compiledSchemaOf(tenant)),
      sessions: sessions.map((session) => ({ ...presentSessionDevice(session), current: session.id === current.id })),
      otps: (await storage.otps.listOf(user.id)).map((otp) => presentOtp(otp, now)),
      messages: (await storage.messages.listOf(user.id)).map(presentMessage),
    }
  }

const presentOtp = (otp: Otp, now: number) => ({
  id: otp.id,
  scope: otp.scope,
  state: stateOf(otp, now),
  deliveryMethod: otp.deliveryMethod,
  recipient: otp.recipient,
  createdAt: timestamp(otp.createdAt),
  expiresAt: timestamp(otp.expiresAt),
})

const presentMessage = ({ id, kind, deliveryMethod, recipient, state, createdAt }: Message) => ({
  id,
  kind,
  deliveryMethod,
  recipient,
  state,
  createdAt: timestamp(createdAt),
})
