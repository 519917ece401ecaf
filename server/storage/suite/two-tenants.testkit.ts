import type { OtpStore } from '../../otp/otp-store.ts'
import type { Storage } from '../storage.ts'
import { halfHourOf } from './counts.testkit.ts'
import {
  claim,
  identityOf,
  keyOf,
  messageOf,
  noticeOf,
  otpOf,
  profileOf,
  queuedEventOf,
  record,
  schemaOf,
  sessionOf,
  t0,
  tenantOf,
  userOf,
} from './samples.testkit.ts'

/**
 * The ids of a tenant's rows that no other tenant has; `shared` ids belong to both tenants, and `none` has no rows.
 */
export const idsOf = (tenantId: 'A' | 'B' | 'none') => ({
  tenant: tenantId,
  key: `key-${tenantId}`,
  user: `user-${tenantId}`,
  guest: `guest-${tenantId}`,
  session: `session-${tenantId}`,
  network: `network-${tenantId}`,
  identity: `identity-${tenantId}`,
  subject: `subject-${tenantId}`,
  tokenHash: `token-${tenantId}`,
  answer: `answer-${tenantId}`,
  pendingOtp: `pending-${tenantId}`,
  verifiedOtp: `verified-${tenantId}`,
  unsentOtp: `unsent-${tenantId}`,
  undoOtp: `undo-${tenantId}`,
  notice: `notice-${tenantId}`,
  recipient: `${tenantId}@example.com`,
  profile: `profile-${tenantId}`,
  city: `city-${tenantId}`,
  day: `2026-01-01 of ${tenantId}`,
  halfHour: { A: 1, B: 2, none: 3 }[tenantId],
  email: `own@${tenantId.toLowerCase()}.example`,
  phone: { A: '+33100000001', B: '+33100000002', none: '+33100000000' }[tenantId],
  schemaVersion: `version-${tenantId}`,
  indexKey: `nickName@${tenantId}`,
  indexValue: `value-${tenantId}`,
  passwordHash: `$digest-${tenantId}`,
  inboxEntry: `entry-${tenantId}`,
  event: `event-${tenantId}`,
})

export type Ids = ReturnType<typeof idsOf>

/** Ids that rows of both tenants have. */
export const shared = {
  user: 'user',
  guest: 'guest',
  session: 'session',
  network: 'network',
  identity: 'identity',
  subject: 'subject',
  tokenHash: 'token',
  answer: 'answer',
  pendingOtp: 'pending',
  verifiedOtp: 'verified',
  /** Pending and about user-A at tenant A, verified and about user-B at tenant B; its message has failed at both. */
  unsentOtp: 'unsent',
  undoOtp: 'undo',
  notice: 'notice',
  profile: 'profile',
  city: 'paris',
  day: '2026-01-01',
  halfHour: 0,
  email: 'both@example.com',
  passwordHash: '$digest-shared',
  schemaVersion: 'version',
  failedVersion: 'failed',
  buildingVersion: 'building',
  indexKey: 'nickName@1',
  indexValue: 'value',
  inboxEntry: 'entry',
  event: 'event',
  recipient: 'anyone@example.com',
} as const

/** The phone number distinguishes the two users whose id and e-mail address both tenants have. */
export const sharedPhoneOf = (tenantId: 'A' | 'B') => (tenantId === 'A' ? '+33100000003' : '+33100000004')

const restriction = { capability: 'upload', reason: null, until: null } as const

/** Two tenants, each with one row of everything under an id that only it has, and one under an id that both have. */
export async function seedTwoTenants(storage: Storage): Promise<void> {
  await seedTenant(storage, 'A')
  await seedTenant(storage, 'B')
}

async function seedTenant(storage: Storage, tenantId: 'A' | 'B'): Promise<void> {
  const own = idsOf(tenantId)
  const modules = { tenant: tenantId }
  await storage.system.tenants.add(tenantOf({ id: tenantId, name: tenantId }), modules, schemaOf(own.schemaVersion))
  const stores = storage.forTenant(tenantId)
  await stores.tenant.publishSchema(schemaOf(shared.schemaVersion, 2, tenantId), 1, t0)
  const failed = schemaOf(shared.failedVersion, tenantId === 'A' ? 30 : 3, tenantId)
  await stores.tenant.startBuild(failed, 2, t0)
  await stores.tenant.failBuild(failed, [{ field: tenantId, userIds: ['1', '2'] }], t0)
  await stores.tenant.startBuild(schemaOf(shared.buildingVersion, 4, tenantId), 4, t0)
  await stores.keys.add(keyOf({ id: own.key }))
  // An earlier entry than the one that both tenants have, by its value and by when it was stored.
  const first = [{ field: shared.indexKey, value: '', userId: '' }]
  if (tenantId === 'A') await Promise.all([stores.profileIndex.claim(first), stores.profileIndex.addSearch(first)])
  for (const ids of [own, shared]) await seedUnsent(storage, tenantId, ids)
  for (const userId of [`undone ${tenantId}`, undone.userId]) await seedUndone(stores.otps, tenantId, userId)
  for (const ids of [own, shared]) {
    const phone = 'phone' in ids ? ids.phone : sharedPhoneOf(tenantId)
    await stores.smsSpending.spend(ids.day, 1)
    await stores.users.add(userOf({ id: ids.user, email: ids.email, phone }), ids.passwordHash)
    await stores.users.restrict(ids.user, { restrictions: [restriction], suspension: restriction }, t0)
    await stores.users.add(userOf({ id: ids.guest, guest: true }), null)
    const secrets = { refreshHash: `refresh-${ids.session}`, amr: [tenantId] }
    const device = { userAgent: tenantId, network: ids.network }
    await stores.sessions.add(sessionOf({ id: ids.session, userId: ids.user }), secrets, device)
    await stores.identities.add(
      identityOf({ id: ids.identity, userId: ids.user, subject: ids.subject, email: tenantId }),
    )
    await stores.usedIdTokens.add(ids.tokenHash, t0 + 1_000_000)
    const answer = { id: ids.answer, subjectId: ids.user, sealed: tenantId, expiresAt: t0 + 1_000_000 }
    await stores.idempotency.add(answer, t0)
    await stores.messages.notify(noticeOf({ id: `own ${ids.notice}`, userId: ids.user, recipient: tenantId }))
    await stores.eventErasures.start(ids.user, t0)
    await stores.events.add(queuedEventOf({ id: ids.event, subjectId: ids.user }))
    const otp = { userId: ids.user, recipient: `${tenantId} ${ids.email}`, resendIntervalSeconds: 0 }
    const sealedCode = `code of ${tenantId}`
    await stores.otps.issue(otpOf({ id: ids.pendingOtp, sealedCode, ...otp }), messageOf(`message-${ids.pendingOtp}`))
    await stores.otps.issue(
      otpOf({ id: ids.verifiedOtp, state: 'verified', ...otp }),
      messageOf(`message-${ids.verifiedOtp}`),
    )
    await stores.otps.add(
      otpOf({ id: ids.undoOtp, scope: 'address_recovery', hadPassword: true, addressVerifiedAt: t0, ...otp }),
    )
    await stores.users.setPassword(ids.user, null, ids.passwordHash, tenantId === 'A' ? t0 - 2 : t0 - 1)
    const profile = profileOf({ id: ids.profile, userId: ids.user, values: { nickName: tenantId } })
    await stores.profiles.save(profile, null)
    const entries = [{ field: ids.indexKey, value: ids.indexValue, userId: ids.user }]
    await stores.profileIndex.claim(entries)
    const searched = { city: ids.city, age: '1' }
    const more = Object.entries(searched).map(([field, value]) => ({ field, value, userId: ids.user }))
    await stores.profileIndex.addSearch([...entries, ...more])
  }
  // The shared user has this value in one tenant only.
  const plan = [{ field: 'plan', value: 'pro', userId: shared.user }]
  if (tenantId === 'A') await stores.profileIndex.addSearch(plan)
  // The shared users have an account at this provider in one tenant only.
  for (const userId of tenantId === 'A' ? [shared.user, shared.guest] : [])
    await stores.identities.add(identityOf({ userId, provider: 'facebook' }))
  await storage.system.counts.addActs([own.halfHour, shared.halfHour].map((at) => ({ tenantId, ...halfHourOf(at) })))
  const entry = { tenantId, otpId: shared.pendingOtp, scope: null, recipient: shared.recipient, createdAt: t0 }
  const deliveryMethod = 'email' as const
  const entries = [shared.inboxEntry, own.inboxEntry].map((id) => ({ ...entry, id, deliveryMethod, sealed: tenantId }))
  await storage.system.inbox.post(entries)
}

/** An address that an undo has restored. At tenant A alone, a code has proven it since. */
export const undone = { userId: 'undone', recipient: 'undone@example.com', since: 0 } as const

async function seedUndone(otps: OtpStore, tenantId: 'A' | 'B', userId: string): Promise<void> {
  const { recipient } = undone
  const undo = otpOf({ scope: 'address_recovery', userId, recipient })
  const proof = otpOf({ scope: 'otp_signin', userId, recipient })
  for (const otp of tenantId === 'A' ? [undo, proof] : [undo]) {
    await otps.add(otp)
    await otps.verify(otp, t0)
    await otps.consume(otp.id, otp.scope, t0)
  }
  await otps.attribute(proof.id, { userId, sessionId: shared.session })
}

/** A failed notice and a failed message of an OTP. They are due before all others, so they are claimed alone. */
async function seedUnsent(
  storage: Storage,
  tenantId: 'A' | 'B',
  ids: { readonly notice: string; readonly unsentOtp: string },
): Promise<void> {
  const { otps, messages } = storage.forTenant(tenantId)
  const { outbox } = storage.system
  const { recipient, user: userId } = idsOf(tenantId)
  const state = tenantId === 'A' ? 'pending' : 'verified'
  await messages.notify(noticeOf({ id: ids.notice, recipient, createdAt: t0 - 1 }))
  await otps.issue(
    otpOf({ id: ids.unsentOtp, userId, state, recipient, lastSentAt: t0 - 1 }),
    messageOf(`message-${ids.unsentOtp}`),
  )
  const claimed = await claim(outbox, 'seed', t0 - 1, t0, 10)
  const results = claimed.map(({ id }) => ({ tenantId, id, state: 'failed', error: 'refused' }) as const)
  await record(outbox, 'seed', results, t0)
}
