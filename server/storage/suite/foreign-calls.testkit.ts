import { allUndoCodes } from '../../otp/undo-codes.ts'
import { foreignErasures } from './event-isolation.testkit.ts'
import type { ForeignCall } from './isolation-calls.testkit.ts'
import { messageOf, otpOf, profileOf, queuedEventOf, rangeOf, searchOf, t0, userOf } from './samples.testkit.ts'
import { type Ids, idsOf, undone } from './two-tenants.testkit.ts'

const b = idsOf('B')
const reset = 'reset_password'
const later = t0 + 1000
const notApplied = { applied: false, otp: null }
const all = { limit: 100, cursor: null }
const device = { userAgent: null, network: 'elsewhere' }
const rotation = { to: 'next', now: later, idleExpiresAt: later + 1, device }

const sending: Record<string, ForeignCall> = {
  'otps.find': [({ otps }, a) => otps.find(a.pendingOtp, reset), null],
  'otps.resend': [({ otps }, a) => otps.resend(a.pendingOtp, reset, later, messageOf()), notApplied],
  'otps.verify': [({ otps }, a) => otps.verify(otpOf({ id: a.pendingOtp, scope: reset }), later), notApplied],
  'otps.verify with an event': [
    ({ otps }, a) => otps.verify(otpOf({ id: a.pendingOtp, scope: reset }), later, queuedEventOf()),
    notApplied,
  ],
  'otps.lockPending': [({ otps }, a) => otps.lockPending(a.pendingOtp, reset, later), notApplied],
  'otps.countWrongCode': [({ otps }, a) => otps.countWrongCode(a.pendingOtp, reset, later), notApplied],
  'otps.consume': [({ otps }, a) => otps.consume(a.verifiedOtp, reset, later), notApplied],
  'otps.attribute': [({ otps }, a) => otps.attribute(a.pendingOtp, { userId: b.user, sessionId: 's' }), undefined],
  'otps.listOf': [({ otps }, a) => otps.listOf(a.user), []],
  'otps.forgetRecipients': [({ otps }, a) => otps.forgetRecipients(a.user), undefined],
  'otps.cancelLive': [({ otps }, a) => otps.cancelLive(a.user, later), undefined],
  'undoCodes.cancel': [({ undoCodes }, a) => undoCodes.cancel(a.user, allUndoCodes, later), undefined],
  'undoCodes.cancelYounger': [({ undoCodes }, a) => undoCodes.cancelYounger(a.user, 0, later), undefined],
  'undoCodes.lostAddressVerifiedAt': [
    ({ undoCodes }, a) => undoCodes.lostAddressVerifiedAt(a.user, `A ${a.email}`, t0),
    null,
  ],
  'undoCodes.isUnproven': [
    ({ undoCodes }) => undoCodes.isUnproven({ ...undone, userId: 'undone A' }, { sessionId: 'none', older: null }),
    false,
  ],
  'undoCodes.isRecoveredSince': [
    ({ undoCodes }) => undoCodes.isRecoveredSince({ ...undone, userId: 'undone A', until: later }),
    false,
  ],
  'undoCodes.canRestoreAnother': [({ undoCodes }, a) => undoCodes.canRestoreAnother(a.user, '', t0), false],
  'messages.latestOf': [({ messages }, a) => messages.latestOf(a.pendingOtp), null],
  'messages.find': [({ messages }, a) => messages.find(a.notice), null],
  'messages.retry': [({ messages }, a) => messages.retry(a.notice, later), { applied: false, message: null }],
  'messages.list': [({ messages }, a) => messages.list({ ...all, recipient: a.recipient }), []],
  'messages.list of an OTP': [({ messages }, a) => messages.list({ ...all, otpId: a.unsentOtp }), []],
  'messages.list of unsent': [
    ({ messages }, a) => messages.list({ ...all, state: 'failed', recipient: a.recipient }),
    [],
  ],
  'messages.list of waiting': [
    ({ messages }, a) => messages.list({ ...all, state: 'queued', recipient: `${a.tenant} ${a.email}` }),
    [],
  ],
  'messages.count': [({ messages }) => messages.count(0), { queued: 6, sending: 0, oldest: t0, failed24h: 4 }],
  'messages.listOf': [({ messages }, a) => messages.listOf(a.user), []],
  'messages.forgetRecipients': [({ messages }, a) => messages.forgetRecipients(a.user), undefined],
}

const users: Record<string, ForeignCall> = {
  'idempotency.find': [({ idempotency }, a) => idempotency.find(a.answer, later), null],
  'idempotency.forget': [({ idempotency }, a) => idempotency.forget(a.user), undefined],
  'users.find': [({ users }, a) => users.find(a.user), null],
  'users.lock': [({ users }, a) => users.lock(a.user), null],
  'users.findByEmail': [({ users }, a) => users.findByEmail(a.email), null],
  'users.findByEmail, evenly': [({ users }, a) => users.findByEmail(a.email, { evenly: true }), null],
  'users.findCredential': [({ users }, a) => users.findCredential(a.user), null],
  'users.findByPhone': [({ users }, a) => users.findByPhone(a.phone), null],
  'users.list by e-mail': [({ users }, a) => users.list({ ...all, email: a.email }), []],
  'users.list by phone': [({ users }, a) => users.list({ ...all, phone: a.phone }), []],
  'users.list by id': [({ users }, a) => users.list({ ...all, idPrefix: a.user }), []],
  'users.resetPassword': [({ users }, a) => users.resetPassword(a.user, 'new', later), false],
  'users.setPassword': [({ users }, a) => users.setPassword(a.user, null, 'new', later), false],
  'users.setPassword verified': [({ users }, a) => users.setPassword(a.user, a.passwordHash, 'new', later), false],
  'users.rehashPassword': [({ users }, a) => users.rehashPassword(a.user, a.passwordHash, 'new'), undefined],
  'users.confirmPassword': [({ users }, a) => users.confirmPassword(a.user, a.passwordHash), null],
  'users.endCodes': [({ users }, a) => users.endCodes(a.user, later), undefined],
  'users.removePassword': [({ users }, a) => users.removePassword(a.user, later), undefined],
  'users.markVerified e-mail': [({ users }, a) => users.markVerified(a.user, { email: a.email }, later), false],
  'users.markVerified phone': [({ users }, a) => users.markVerified(a.user, { phone: a.phone }, later), false],
  'users.setAddress e-mail': [({ users }, a) => users.setAddress(a.user, { email: 'new@b.example' }, later), false],
  'users.setAddress phone': [({ users }, a) => users.setAddress(a.user, { phone: '+33100000009' }, later), false],
  'users.claimEmail': [({ users }, a) => users.claimEmail(a.user, 'new@b.example', later), false],
  'users.removeAddress e-mail': [({ users }, a) => users.removeAddress(a.user, 'email', later), undefined],
  'users.removeAddress phone': [({ users }, a) => users.removeAddress(a.user, 'phone', later), undefined],
  'users.takeAddress e-mail': [({ users }, a) => users.takeAddress(a.user, { email: a.email }, later), false],
  'users.takeAddress phone': [({ users }, a) => users.takeAddress(a.user, { phone: a.phone }, later), false],
  'formPrompts.latestOf': [({ formPrompts }, a) => formPrompts.latestOf(a.user), null],
  'formPrompts.record': [({ formPrompts }, a) => formPrompts.record(a.user, later, later), false],
  'users.makeFull': [({ users }, a) => users.makeFull(a.guest, later), undefined],
  'users.touch': [({ users }, a) => users.touch(a.user, later), false],
  'users.restrict': [({ users }, a) => users.restrict(a.user, {}, later), null],
  'users.remove': [({ users }, a) => users.remove(a.user), false],
  'users.add: only the phone is taken here': [
    ({ users }, a) => users.add(userOf({ email: a.email, phone: b.phone }), null),
    'phone',
  ],
  'users.add: only the id is taken here': [
    ({ users }, a) => users.add(userOf({ id: b.user, phone: a.phone }), null).catch(({ message }) => message),
    `a concurrent transaction added user ${b.user}`,
  ],
}

const waysIn: Record<string, ForeignCall> = {
  'identities.find': [({ identities }, a) => identities.find('google', a.subject), null],
  'identities.listOf': [({ identities }, a) => identities.listOf(a.user), []],
  'identities.listBetween': [({ identities }, a) => identities.listBetween(a.user, a.user), []],
  'identities.touch': [({ identities }, a) => identities.touch(a.identity, null, later), false],
  'identities.remove': [({ identities }, a) => identities.remove(a.user, a.identity), false],
  'identities.remove from an own user': [({ identities }, a) => identities.remove(b.user, a.identity), false],
  'identities.removeAllOf': [({ identities }, a) => identities.removeAllOf(a.user), undefined],
  'sessions.find': [({ sessions }, a) => sessions.find(a.session), null],
  'sessions.findWithUser': [({ sessions }, a) => sessions.findWithUser(a.session), null],
  'sessions.rotate': [
    ({ sessions }, a) => sessions.rotate(a.session, { ...rotation, from: `refresh-${a.session}` }),
    false,
  ],
  'sessions.listOf': [({ sessions }, a) => sessions.listOf(a.user, later), []],
  'sessions.countOf': [({ sessions }, a) => sessions.countOf(a.user, later), 0],
  'sessions.listAllOf': [({ sessions }, a) => sessions.listAllOf(a.user), []],
  'sessions.isKnownNetwork': [({ sessions }, a) => sessions.isKnownNetwork(a.user, a.network, later), false],
  'sessions.lockLive': [({ sessions }, a) => sessions.lockLive(a.user, a.session, later), false],
  'sessions.lockLive of an own user': [({ sessions }, a) => sessions.lockLive(b.user, a.session, later), false],
  'sessions.knownNetworks': [({ sessions }, a) => sessions.knownNetworks(a.user, later), []],
  'sessions.revoke': [({ sessions }, a) => sessions.revoke(a.user, a.session, later), false],
  'sessions.revoke of an own user': [({ sessions }, a) => sessions.revoke(b.user, a.session, later), false],
  'sessions.revokeAllOf': [({ sessions }, a) => sessions.revokeAllOf(a.user, later), []],
  'sessions.forgetDevices': [({ sessions }, a) => sessions.forgetDevices(a.user), undefined],
}

const entriesOf = ({ indexKey, indexValue, user }: Ids) => [{ field: indexKey, value: indexValue, userId: user }]

const theRest: Record<string, ForeignCall> = {
  'profiles.find': [({ profiles }, a) => profiles.find(a.user), null],
  'profiles.save': [
    ({ profiles }, a) => {
      const profile = profileOf({ id: a.profile, userId: a.user, revision: 1 })
      return profiles.save({ ...profile, values: { nickName: 'taken' } }, profile)
    },
    false,
  ],
  'profiles.markUnproven': [({ profiles }, a) => profiles.markUnproven(a.user), undefined],
  'profiles.remove': [({ profiles }, a) => profiles.remove(a.user), undefined],
  'profiles.markIndexed': [
    ({ profiles }, a) => profiles.markIndexed(profileOf({ id: a.profile, userId: a.user, revision: 1 }), 4),
    false,
  ],
  'profileIndex.entriesOf': [({ profileIndex }, a) => profileIndex.entriesOf(a.user), { unique: [], search: [] }],
  'profileIndex.holders': [({ profileIndex }, a) => profileIndex.holders(entriesOf(a)), []],
  'profileIndex.release': [({ profileIndex }, a) => profileIndex.release(entriesOf(a)), undefined],
  'profileIndex.removeSearch': [({ profileIndex }, a) => profileIndex.removeSearch(entriesOf(a)), undefined],
  'profileIndex.replaceSearch': [
    ({ profileIndex }, a) =>
      profileIndex.replaceSearch(entriesOf(a).map((entry) => ({ ...entry, before: entry.value, value: 'foreign' }))),
    undefined,
  ],
  'profileIndex.removeAllOf': [({ profileIndex }, a) => profileIndex.removeAllOf(a.user), undefined],
  'profileIndex.removeField': [({ profileIndex }, a) => profileIndex.removeField(a.indexKey, 9), false],
  'profileSearch.list': [
    ({ profileSearch }, a) => profileSearch.list(searchOf(['city', a.city]), { limit: 9, after: null }),
    [],
  ],
  'profileSearch.holds': [({ profileSearch }, a) => profileSearch.holds(a.user, rangeOf('age', '1')), false],
  'keys.find': [({ keys }, a) => keys.find(a.key), null],
  'keys.revoke': [({ keys }, a) => keys.revoke(a.key, later), false],
  'keys.expireAt': [({ keys }, a) => keys.expireAt(a.key, later, later), false],
  'tenant.findSchema': [({ tenant }, a) => tenant.findSchema(a.schemaVersion), null],
  'tenant.findVersion': [({ tenant }, a) => tenant.findVersion(a.schemaVersion), null],
}

const section = { limit: 9, before: null }

const events: Record<string, ForeignCall> = {
  'eventLog.list of a subject': [
    ({ eventLog }, a) => eventLog.list({ subjectId: a.user }, section),
    { rows: [], next: null },
  ],
  'eventLog.list of an actor': [
    ({ eventLog }, a) => eventLog.list({ actorId: a.user }, section),
    { rows: [], next: null },
  ],
  'eventLog.list of a request': [
    ({ eventLog }, a) => eventLog.list({ requestId: a.tenant }, section),
    { rows: [], next: null },
  ],
  'eventLog.listAbout': [({ eventLog }, a) => eventLog.listAbout(a.user, section), { rows: [], next: null }],
}

/** Every call that names a row. */
export const foreignCalls = { ...sending, ...users, ...waysIn, ...theRest, ...events, ...foreignErasures }
