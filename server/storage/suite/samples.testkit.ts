import type { Identity } from '../../accounts/identity.ts'
import type { Session } from '../../accounts/sessions/session.ts'
import { newUser, type User } from '../../accounts/user.ts'
import { ulid } from '../../core/ids.ts'
import type { InboxEntry } from '../../delivery/inbox.ts'
import type { NewMessage, NewNotice } from '../../delivery/message.ts'
import type { AttemptResult, ClaimedMessage, Outbox } from '../../delivery/outbox.ts'
import type { QueuedEvent } from '../../events/event.ts'
import type { Otp } from '../../otp/otp.ts'
import type { ProfileSearch, SearchRange } from '../../profiles/index/profile-search.ts'
import type { StoredProfile } from '../../profiles/profile-store.ts'
import type { PublishedVersion, Tenant, TenantKey } from '../../tenants/tenant.ts'
import type { Storage, TenantStorage } from '../storage.ts'

/** The time of the samples: 2026-01-01T00:00Z in epoch milliseconds. */
export const t0 = Date.UTC(2026, 0, 1)

/** A tenant to store. Each sample accepts the fields that a test sets. */
export const tenantOf = (changes: Partial<Tenant> = {}): Tenant => ({
  id: ulid(t0),
  name: 'Acme',
  suspended: false,
  restrictedCapabilities: [],
  revision: 1,
  createdAt: t0,
  updatedAt: t0,
  ...changes,
})

export const schemaOf = (version: string, ordinal = 1, label = 'Nick name'): PublishedVersion => ({
  ordinal,
  publishedAt: t0,
  publishedBy: 'admin',
  schema: {
    version,
    components: [{ name: 'nickName', type: 'text', label }],
    presentation: [],
    forms: {},
    migrations: [],
  },
})

export const keyOf = (changes: Partial<TenantKey> = {}): TenantKey => ({
  id: ulid(t0),
  name: 'app',
  kind: 'publishable',
  secretHash: 'ab'.repeat(32),
  createdAt: t0,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...changes,
})

/** An event to queue. */
export const queuedEventOf = (changes: Partial<QueuedEvent> = {}): QueuedEvent => ({
  id: ulid(t0),
  at: t0,
  type: 'user.created',
  actorKind: 'user',
  actorId: 'actor',
  subjectKind: 'user',
  subjectId: 'subject',
  outcome: 'done',
  requestId: 'request',
  public: '{}',
  personal: '{"salt":"salt"}',
  commitment: 'commitment',
  ...changes,
})

export const userOf = (changes: Partial<User> = {}): User => newUser(changes.id ?? ulid(t0), t0, changes)

export const sessionOf = (changes: Partial<Session> = {}): Session => ({
  id: ulid(t0),
  userId: ulid(t0),
  createdAt: t0,
  lastUsedAt: t0,
  idleExpiresAt: t0 + 1_000_000,
  expiresAt: t0 + 2_000_000,
  revokedAt: null,
  ...changes,
})

export const identityOf = (changes: Partial<Identity> = {}): Identity => ({
  id: ulid(t0),
  userId: ulid(t0),
  provider: 'google',
  subject: ulid(t0),
  email: null,
  createdAt: t0,
  lastUsedAt: t0,
  ...changes,
})

export const otpOf = (changes: Partial<Otp> = {}): Otp => ({
  id: ulid(t0),
  scope: 'reset_password',
  state: 'pending',
  userId: null,
  sessionId: null,
  decoy: false,
  deliveryMethod: 'email',
  recipient: 'someone@example.com',
  locale: 'fr',
  sealedCode: (changes.state ?? 'pending') === 'pending' ? 'sealed code' : null,
  resendIntervalSeconds: 60,
  maxResends: 3,
  maxVerifyAttempts: 5,
  resendCount: 0,
  wrongCodes: 0,
  createdAt: t0,
  expiresAt: t0 + 600_000,
  lastSentAt: t0,
  hadPassword: null,
  addressVerifiedAt: null,
  ...changes,
})

export const messageOf = (id = ulid(t0)): NewMessage => ({ id, lease: null })

export const noticeOf = (changes: Partial<NewNotice> = {}): NewNotice => ({
  id: ulid(t0),
  kind: 'password_changed',
  otpId: null,
  userId: 'someone',
  deliveryMethod: 'email',
  recipient: 'someone@example.com',
  locale: 'fr',
  createdAt: t0,
  expiresAt: t0 + 86_400_000,
  ...changes,
})

export const entryOf = (changes: Partial<InboxEntry>): InboxEntry => ({
  id: ulid(t0),
  tenantId: '',
  otpId: null,
  scope: null,
  deliveryMethod: 'email',
  recipient: 'someone@example.com',
  sealed: 'sealed text',
  createdAt: t0,
  ...changes,
})

export const profileOf = (changes: Partial<StoredProfile> = {}): StoredProfile => ({
  id: ulid(t0),
  userId: ulid(t0),
  schemaVersion: '1',
  values: {},
  createdAt: t0,
  updatedAt: t0,
  ...changes,
})

/** A stored tenant's stores. */
export async function newTenant(storage: Storage, changes: Partial<Tenant> = {}): Promise<TenantStorage> {
  const tenant = tenantOf(changes)
  await storage.system.tenants.add(tenant, { auth: { methods: ['password'] } }, schemaOf('1'))
  return storage.forTenant(tenant.id)
}

/** `count` calls at once. */
/** A search for profiles with all of these values. */
export const searchOf = (
  first: readonly [field: string, value: string],
  ...more: (readonly [field: string, value: string])[]
): ProfileSearch => ({ ranges: [rangeOf(...first), ...more.map((entry) => rangeOf(...entry))] })

/** The range of one value of a field. */
export const rangeOf = (field: string, value: string): SearchRange => ({ field, from: value, to: `${value}\u0001` })

export const atOnce = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))

/** Claims without recording a result. */
export const claim = (
  outbox: Outbox,
  ...[owner, now, leaseUntil, batch]: [owner: string, now: number, leaseUntil: number, batch: number]
): Promise<ClaimedMessage[]> => outbox.recordAndClaim([], { owner, now, leaseUntil, batch })

/** Records results without claiming. */
export async function record(
  outbox: Outbox,
  ...[owner, results, now]: [string, readonly AttemptResult[], now: number]
): Promise<void> {
  await outbox.recordAndClaim(results, { owner, now, leaseUntil: now, batch: 0 })
}
