import type { exportAccount as operation } from '../../contract/accounts/account.ts'
import type { Activity } from '../../contract/accounts/activity.ts'
import { optionalTimestamp, timestamp } from '../../contract/envelope.ts'
import type { Handler } from '../core/handler.ts'
import type { Message } from '../delivery/message.ts'
import type { EventLogStore, ListedEvents } from '../events/log/event-log.ts'
import { type ActivityPresenter, activityPresenter } from '../events/log/present-activity.ts'
import { otpReference } from '../events/subjects.ts'
import { type Otp, recoveryScope, stateOf } from '../otp/otp.ts'
import { archivedValues } from '../profiles/migrations/archived-fields.ts'
import { migrated, presentProfile } from '../profiles/read-profile.ts'
import { compiledSchemaOf } from '../profiles/schema/compiled-profile-schemas.ts'
import { presentIdentities } from './identity.ts'
import { presentRestriction, presentSuspension } from './restriction.ts'
import { type ExportedSession, endedAt, presentSessionDevice } from './sessions/session.ts'
import { requireFresh } from './sign-in/require-fresh.ts'
import { presentManagedUser } from './user.ts'

/** `GET /account/export` (ACCOUNT-9): everything stored about the user, except secrets. */
export const exportAccount: Handler<typeof operation> = async (_input, call) => {
  requireFresh(call)
  const { now, snapshot, storage, user, session: current } = call
  // Together: on PostgreSQL each would be a round trip.
  const [profile, sessions, identities, formPromptedAt, otps, messages, activity] = await Promise.all([
    storage.profiles.find(user.id).then((stored) => stored && migrated(stored, snapshot, storage)),
    storage.sessions.listAllOf(user.id),
    storage.identities.listOf(user.id),
    storage.formPrompts.latestOf(user.id),
    storage.otps.listOf(user.id),
    storage.messages.listOf(user.id),
    allActivity(storage.eventLog, user.id, activityPresenter(user.id, snapshot.profileSchema.schema)),
  ])
  const shown = profile && presentProfile(profile, compiledSchemaOf(snapshot))
  const subjects = new Map(identities.map(({ id, subject }) => [id, subject]))
  return {
    exportedAt: timestamp(now),
    user: {
      ...presentManagedUser(user, now),
      // Expired ones are stored too.
      restrictions: user.restrictions.map(presentRestriction),
      suspension: user.suspension && presentSuspension(user.suspension),
      emailVerifiedAt: optionalTimestamp(user.emailVerifiedAt),
      phoneVerifiedAt: optionalTimestamp(user.phoneVerifiedAt),
      passwordChangedAt: optionalTimestamp(user.passwordChangedAt),
      codesValidFrom: optionalTimestamp(user.codesValidFrom),
      ...(formPromptedAt !== null && { formPromptedAt: timestamp(formPromptedAt) }),
    },
    identities: presentIdentities(user, identities).map((identity) => ({
      ...identity,
      subject: subjects.get(identity.id) ?? null,
    })),
    profile: shown,
    archived: profile && shown ? archivedValues(profile.values, snapshot.profileSchema.schema, shown) : {},
    sessions: sessions.map((session) => presentExportedSession(session, current.id, now)),
    otps: otps.flatMap((otp) => presentOtp(otp, now)),
    messages: messages.map(presentMessage),
    activity,
  }
}

function presentExportedSession(session: ExportedSession, currentId: string, now: number) {
  const ended = endedAt(session, now)
  return {
    ...presentSessionDevice(session),
    current: session.id === currentId,
    amr: [...session.amr],
    endedAt: optionalTimestamp(ended),
  }
}

/**
 * Leaves out codes that undo a change of address: their id is half of the proof, and only the notice contains it. The id of
 * a reset that can still be completed is the token of its last step, so its hash stands for it, as in events.
 */
const presentOtp = ({ id, scope, deliveryMethod, recipient, ...otp }: Otp, now: number) =>
  scope === recoveryScope
    ? []
    : [
        {
          id: scope === 'reset_password' && isLive(otp, now) ? otpReference(id) : id,
          scope,
          state: stateOf(otp, now),
          deliveryMethod,
          recipient,
          createdAt: timestamp(otp.createdAt),
          expiresAt: timestamp(otp.expiresAt),
        },
      ]

const isLive = (otp: Pick<Otp, 'state' | 'expiresAt'>, now: number): boolean =>
  ['pending', 'verified'].includes(stateOf(otp, now))

const presentMessage = ({ id, kind, deliveryMethod, recipient, state, createdAt }: Message) => ({
  id,
  kind,
  deliveryMethod,
  recipient,
  state,
  createdAt: timestamp(createdAt),
})

const section = 200

/** Everything that is stored, section by section: SQLite does other work between them. */
async function allActivity(log: EventLogStore, userId: string, present: ActivityPresenter): Promise<Activity[]> {
  const all: Activity[] = []
  for (let before: string | null = null; ; ) {
    const { rows, next }: ListedEvents = await log.listAbout(userId, { limit: section, before })
    for (const event of rows) all.push(present(event))
    if (next === null) return all
    before = next
  }
}
