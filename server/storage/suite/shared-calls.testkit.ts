import type { Message } from '../../delivery/message.ts'
import { allUndoCodes } from '../../otp/undo-codes.ts'
import { sharedCounts } from './counts-isolation.testkit.ts'
import { sharedErasures } from './event-isolation.testkit.ts'
import type { SharedCall } from './isolation-calls.testkit.ts'
import { identityOf, keyOf, messageOf, queuedEventOf, sessionOf, t0 } from './samples.testkit.ts'
import { sharedProfileCalls, sharedTenantCalls } from './shared-profile-calls.testkit.ts'
import { sharedLogs, sharedSearches } from './shared-searches.testkit.ts'
import { sharedUserCalls } from './shared-user-calls.testkit.ts'
import { idsOf, shared, undone } from './two-tenants.testkit.ts'

const a = idsOf('A')
const b = idsOf('B')
const reset = 'reset_password'
const later = t0 + 1000
const all = { limit: 100, cursor: null }
const device = { userAgent: 'B', network: 'elsewhere' }
const rotation = { to: 'next', now: later, idleExpiresAt: t0 + 2_000_000, device }

const recipients = (messages: readonly Message[]) => messages.map(({ recipient }) => recipient)

const sending: Record<string, SharedCall> = {
  'otps.find': [async ({ otps }) => (await otps.find(shared.pendingOtp, reset))?.recipient, `B ${shared.email}`],
  'otps.listOf': [
    async ({ otps }) => (await otps.listOf(shared.user)).map(({ recipient }) => recipient),
    [`B ${shared.email}`, `B ${shared.email}`, `B ${shared.email}`],
  ],
  'undoCodes.lostAddressVerifiedAt': [
    ({ undoCodes }) => undoCodes.lostAddressVerifiedAt(shared.user, `B ${shared.email}`, t0),
    t0,
  ],
  'undoCodes.isUnproven': [
    ({ undoCodes }) => undoCodes.isUnproven(undone, { sessionId: shared.session, older: null }),
    true,
  ],
  'undoCodes.isRecoveredSince': [({ undoCodes }) => undoCodes.isRecoveredSince({ ...undone, until: later }), true],
  'undoCodes.canRestoreAnother': [({ undoCodes }) => undoCodes.canRestoreAnother(shared.user, '', t0), true],
  'otps.resend': [
    async ({ otps }) => (await otps.resend(shared.pendingOtp, reset, later, messageOf('resent'))).otp?.recipient,
    `B ${shared.email}`,
  ],
  'events.add': [({ events }) => events.add(queuedEventOf()), undefined],
  'otps.resend with an event': [
    async ({ otps }) =>
      (await otps.resend(shared.pendingOtp, reset, later, messageOf('recorded'), queuedEventOf())).applied,
    true,
  ],
  'otps.verify with an event': [
    async ({ otps }) => {
      const undo = await otps.find(shared.undoOtp, 'address_recovery')
      return (await otps.verify(undo!, later, queuedEventOf())).applied
    },
    true,
  ],
  'otps.lockPending': [
    async ({ otps }) => (await otps.lockPending(shared.pendingOtp, reset, later)).otp?.recipient,
    `B ${shared.email}`,
  ],
  'otps.countWrongCode': [
    async ({ otps }) => (await otps.countWrongCode(shared.pendingOtp, reset, later)).otp?.recipient,
    `B ${shared.email}`,
  ],
  'otps.consume': [async ({ otps }) => (await otps.consume(shared.verifiedOtp, reset, later)).applied, true],
  'otps.cancelLive': [({ otps }) => otps.cancelLive(shared.user, later), undefined],
  'undoCodes.cancel': [({ undoCodes }) => undoCodes.cancel(shared.user, allUndoCodes, later), undefined],
  'undoCodes.cancelYounger': [({ undoCodes }) => undoCodes.cancelYounger(shared.user, 0, later), undefined],
  'messages.find': [async ({ messages }) => (await messages.find(shared.notice))?.recipient, b.recipient],
  'messages.list': [
    async ({ messages }) => recipients(await messages.list({ ...all, otpId: shared.unsentOtp })),
    [b.recipient],
  ],
  'messages.listOf': [
    async ({ messages }) => new Set(recipients(await messages.listOf(shared.user))),
    new Set([`B ${shared.email}`, 'B']),
  ],
  'messages.retry': [async ({ messages }) => (await messages.retry(shared.notice, later)).applied, true],
  'messages.retry of an OTP that is pending elsewhere alone': [
    async ({ messages }) => (await messages.retry(`message-${shared.unsentOtp}`, later)).applied,
    false,
  ],
  // Places are shared by all tenants.
  'messages.clearPosted': [async ({ messages }) => (await messages.clearPosted(0, 1_000)) > 0, true],
  'messages.forgetRecipients': [({ messages }) => messages.forgetRecipients(shared.user), undefined],
  'otps.forgetRecipients': [({ otps }) => otps.forgetRecipients(shared.user), undefined],
  'otps.attribute': [({ otps }) => otps.attribute(shared.pendingOtp, { userId: b.user, sessionId: 's' }), undefined],
  'smsSpending within and beyond its own budget': [
    async ({ smsSpending }) => {
      const spent = [await smsSpending.spend(shared.day, 2), await smsSpending.spend(shared.day, 2)]
      await smsSpending.giveBack(shared.day)
      return spent
    },
    [true, false],
  ],
}

const waysIn: Record<string, SharedCall> = {
  'identities.find': [async ({ identities }) => (await identities.find('google', shared.subject))?.email, 'B'],
  'identities.listOf': [
    async ({ identities }) => (await identities.listOf(shared.user)).map(({ email }) => email),
    ['B'],
  ],
  'identities.listBetween': [
    async ({ identities }) => (await identities.listBetween(shared.user, shared.user)).map(({ email }) => email),
    ['B'],
  ],
  'identities.add: another tenant’s is free': [
    ({ identities }) => identities.add(identityOf({ userId: b.user, subject: a.subject })),
    true,
  ],
  'identities.touch': [({ identities }) => identities.touch(shared.identity, 'B again', later), true],
  'identities.remove': [({ identities }) => identities.remove(shared.user, shared.identity), true],
  'identities.removeAllOf': [({ identities }) => identities.removeAllOf(shared.user), undefined],
  'usedIdTokens.add of one used here': [({ usedIdTokens }) => usedIdTokens.add(shared.tokenHash, later), false],
  'usedIdTokens.add: one used at another tenant is unused here': [
    ({ usedIdTokens }) => usedIdTokens.add(a.tokenHash, later),
    true,
  ],
  'idempotency.find': [({ idempotency }) => idempotency.find(shared.answer, later), 'B'],
  'idempotency.add of one kept here': [
    ({ idempotency }) => idempotency.add({ id: shared.answer, subjectId: null, sealed: '', expiresAt: later }, later),
    false,
  ],
  'idempotency.add: one kept at another tenant is unused here': [
    ({ idempotency }) => idempotency.add({ id: a.answer, subjectId: null, sealed: '', expiresAt: later }, later),
    true,
  ],
  'idempotency.forget': [({ idempotency }) => idempotency.forget(shared.user), undefined],
  'sessions.find': [async ({ sessions }) => (await sessions.find(shared.session))?.amr, ['B']],
  'sessions.listOf': [
    async ({ sessions }) => (await sessions.listOf(shared.user, later)).map(({ userAgent }) => userAgent),
    ['B'],
  ],
  'sessions.countOf': [({ sessions }) => sessions.countOf(shared.user, later), 1],
  'sessions.listAllOf': [
    async ({ sessions }) => (await sessions.listAllOf(shared.user)).map(({ userAgent }) => userAgent),
    ['B'],
  ],
  'sessions.isKnownNetwork': [({ sessions }) => sessions.isKnownNetwork(shared.user, shared.network, later), true],
  'sessions.knownNetworks': [({ sessions }) => sessions.knownNetworks(shared.user, later), [shared.network]],
  'sessions.rotate': [
    ({ sessions }) => sessions.rotate(shared.session, { ...rotation, from: `refresh-${shared.session}` }),
    true,
  ],
  'sessions.forgetDevices': [({ sessions }) => sessions.forgetDevices(shared.user), undefined],
  'sessions.revoke': [({ sessions }) => sessions.revoke(shared.user, shared.session, later), true],
  'sessions.revokeAllOf': [
    async ({ sessions }) => (await sessions.revokeAllOf(shared.user, later)).every((id) => id === shared.session),
    true,
  ],
  'sessions.add': [
    ({ sessions }) => sessions.add(sessionOf(), { refreshHash: `refresh-${a.session}`, amr: [] }, device),
    undefined,
  ],
}

const theRest: Record<string, SharedCall> = {
  'keys.list': [async ({ keys }) => (await keys.list(all)).map(({ id }) => id), [b.key]],
  'keys.add': [({ keys }) => keys.add(keyOf({ id: 'another key' })), undefined],
}

/** Each call leaves the rows that later ones need. */
export const sharedCalls = {
  ...sharedCounts,
  ...sending,
  ...sharedSearches,
  ...sharedLogs,
  ...sharedUserCalls,
  ...waysIn,
  ...sharedProfileCalls,
  ...theRest,
  ...sharedTenantCalls,
  ...sharedErasures,
}
