import { z } from 'zod'
import { Timestamp } from './envelope.ts'
import { type ErrorCode, errors } from './errors.ts'

/** What an event type is about and when it is recorded. */
export interface EventKind {
  /** One line for the documentation. */
  readonly summary: string
  /** The log it stands in: its tenant's, or the deployment's. */
  readonly log: 'tenant' | 'deployment'
  /** `all`: recorded only when the tenant's `events.detail` is `all`; frequent and rarely needed. */
  readonly detail: 'security' | 'all'
  /** Members of `changes`: a list of names, or why they vary. Each has `before` and `after` where they may be shown. */
  readonly changes?: readonly string[] | string
  /** Members of `details` that it may have. */
  readonly details?: readonly string[]
}

const of = <const K extends Readonly<Record<string, EventKind>>>(kinds: K): K => kinds
const tenant = (summary: string, more: Partial<EventKind> = {}): EventKind => ({
  summary,
  log: 'tenant',
  detail: 'security',
  ...more,
})
const everyDetail = (summary: string, more: Partial<EventKind> = {}) => tenant(summary, { ...more, detail: 'all' })
const deployment = (summary: string, more: Partial<EventKind> = {}) => tenant(summary, { ...more, log: 'deployment' })

/** Every event type, closed: documentation, client types and tests derive from it. */
export const eventKinds = of({
  'user.created': tenant('A user signed up or was created.', {
    details: ['method'],
    changes: ['email', 'phone', 'password'],
  }),
  'user.updated': tenant(
    'An operator set an address of a guest, who became a full user, or took back the verification of an address.',
    { changes: ['guest', 'emailVerified', 'phoneVerified'] },
  ),
  'user.deleted': tenant('A user was erased.', { details: ['reason'] }),
  'user.suspended': tenant('A user was suspended.', { details: ['until'] }),
  'user.restored': tenant('The suspension of a user was lifted.'),
  'user.restricted': tenant('Capabilities of a user were restricted.', { details: ['capabilities'] }),
  'user.unrestricted': tenant('Restrictions of a user were lifted.', { details: ['capabilities'] }),
  'user.email_changed': tenant('The e-mail address of a user changed.', { changes: ['email'] }),
  'user.phone_changed': tenant('The phone number of a user changed.', { changes: ['phone'] }),
  'user.email_verified': tenant('A user proved an e-mail address.', { changes: ['email'] }),
  'user.phone_verified': tenant('A user proved a phone number.', { changes: ['phone'] }),
  'user.password_changed': tenant('The password of a user was set, changed or removed.', {
    changes: ['password'],
  }),
  'session.created': tenant(
    'A session began without a sign-in: at sign-up, or with the first sign-in method of a guest.',
    { details: ['session', 'method'] },
  ),
  'session.refreshed': everyDetail('A session got a new access token.', { details: ['session'] }),
  'session.ended': tenant('A session was ended.', { details: ['session', 'reason'] }),
  'session.reuse_detected': tenant('A refresh token was used twice, so its session was ended.', {
    details: ['session'],
  }),
  'sign_in.succeeded': tenant('A user signed in.', { details: ['session', 'method'] }),
  'sign_in.refused': tenant('A sign-in was refused.', { details: ['method'], changes: ['email', 'phone'] }),
  'step_up.succeeded': tenant('A user signed in again for a sensitive operation.', { details: ['session', 'method'] }),
  'step_up.refused': tenant('A step-up was refused.', { details: ['session', 'method'] }),
  'recovery.started': tenant('A notice with a code that undoes a change of address was sent.', { details: ['otp'] }),
  'recovery.completed': tenant('A change of address was undone.', { details: ['otp'], changes: ['email', 'phone'] }),
  'identity.added': tenant('A sign-in method was added.', { details: ['provider', 'identity'] }),
  'identity.removed': tenant('A sign-in method was removed.', { details: ['provider', 'identity'] }),
  'identity.linked_by_address': tenant('A sign-in with a provider was linked to the account of its proven address.', {
    details: ['provider', 'identity'],
  }),
  'otp.created': everyDetail('A one-time password was issued.', { details: ['otp', 'scope', 'deliveryMethod'] }),
  'otp.resent': everyDetail('A one-time password was sent again.', { details: ['otp', 'scope'] }),
  'otp.verified': tenant('A one-time password was verified.', { details: ['otp', 'scope', 'deliveryMethod'] }),
  'otp.wrong_code': everyDetail('A wrong code was entered.', { details: ['otp', 'scope'] }),
  'otp.locked': tenant('A one-time password was locked after too many wrong codes.', { details: ['otp', 'scope'] }),
  'otp.consumed': tenant(
    'A verified one-time password proved its address: at a sign-in, a sign-up, a step-up or a new identity.',
    { details: ['otp', 'scope'] },
  ),
  'password_reset.requested': tenant('A password reset was requested.', { details: ['otp'] }),
  'password_reset.completed': tenant('A password was reset.', { details: ['otp'] }),
  'profile.created': tenant('A profile was created.', { changes: 'the fields of the profile' }),
  'profile.updated': tenant('A profile changed.', { changes: 'the changed fields' }),
  'profile_schema.published': tenant('A version of the profile schema was published.', {
    details: ['version', 'state'],
  }),
  'profile_schema.built': tenant('A version of the profile schema became current: its fields are indexed.', {
    details: ['version'],
  }),
  'profile_schema.failed': tenant('A version of the profile schema stays without effect: users have equal values.', {
    details: ['version', 'duplicates'],
  }),
  'message.failed': tenant('A message could not be delivered.', { details: ['message', 'kind', 'deliveryMethod'] }),
  'message.tested': tenant('An operator sent a test message.', {
    details: ['kind', 'deliveryMethod'],
    changes: ['recipient'],
  }),
  'message.retried': tenant('An operator had a failed message sent again.', { details: ['kind', 'deliveryMethod'] }),
  'tenant.updated': tenant('A tenant changed.', { changes: ['name', 'restrictedCapabilities'] }),
  'tenant.suspended': tenant('A tenant was suspended.'),
  'tenant.restored': tenant('The suspension of a tenant was lifted.'),
  'tenant_key.created': tenant('A tenant key was created.', { details: ['kind'] }),
  'tenant_key.rotated': tenant('A tenant key was replaced by a new one.', { details: ['successor'] }),
  'tenant_key.revoked': tenant('A tenant key was revoked.'),
  'configuration.changed': tenant('The configuration changed.', { changes: 'the changed settings, by their paths' }),
  'users.export_started': tenant('An export of users began. Recorded before its first line is sent.', {
    details: ['hashes', 'sensitive'],
  }),
  'users.exported': tenant('An export of users ended: with its last line, or early.', {
    details: ['users', 'hashes', 'sensitive', 'complete'],
  }),
  'users.import_started': tenant('An import stored its first users.'),
  'users.imported': tenant('An import ended: with its last line, or early.', {
    details: ['imported', 'failed', 'complete'],
  }),
  'codes.read': tenant('An operator read codes in the testing channel; at most one event a minute.'),
  'codes.cleared': tenant('An operator cleared messages of the testing channel, 500 at most with one event.', {
    details: ['messages'],
  }),
  'events.exported': tenant('The event log was exported.', { details: ['since', 'until'] }),
  'limit.exceeded': everyDetail('A limit per client address was exceeded, at most one event a minute for each.', {
    details: ['operation', 'refused'],
  }),
  'tenant.created': deployment('A tenant was created.', { changes: ['name'] }),
  'tenant.deleted': deployment('A tenant was deleted.'),
  'operator.created': deployment('An operator was created.', {
    details: ['scopes', 'tenantIds'],
    changes: ['name', 'email'],
  }),
  'operator.updated': deployment('An operator changed.', { changes: 'the changed members' }),
  'operator.rotated': deployment('The key of an operator was replaced.', { details: ['overlapHours'] }),
  'operator.revoked': deployment('An operator was revoked.'),
  'operator.signed_in': deployment('An operator signed in to the console.'),
  'operator.refused': deployment(
    'An operator was refused for a missing scope or tenant, or a sign-in to the console for a wrong key.',
    {
      details: ['operation', 'missing'],
    },
  ),
  'signing_key.rotated': deployment('The signing keys were rotated.'),
  'signing_key.withdrawn': deployment('The signing keys were rotated and the earlier ones withdrawn.'),
})
export type EventType = keyof typeof eventKinds
export const eventTypes = Object.keys(eventKinds) as [EventType, ...EventType[]]

export const actorKinds = ['user', 'operator', 'tenantKey', 'anonymous', 'system'] as const
export type ActorKind = (typeof actorKinds)[number]

export const subjectKinds = [
  'user',
  'otp',
  'tenant',
  'tenantKey',
  'profileSchema',
  'configuration',
  'operator',
  'message',
  'signingKey',
  'address',
] as const
export type SubjectKind = (typeof subjectKinds)[number]

/** How much of what happens is recorded; operators' acts always are. */
export const EventDetail = z.enum(['off', 'security', 'all'])
export type EventDetail = z.infer<typeof EventDetail>

/** A value before and after a change. Absent when it may not be shown, or the person was erased. */
const Change = z.strictObject({ before: z.unknown().optional(), after: z.unknown().optional() })

/** A recorded event. Codes, tokens, passwords and secrets are never part of one. */
export const RecordedEvent = z.strictObject({
  id: z.string(),
  sequence: z.int().describe('Its place in the log: events of a log are numbered from 1 without a gap.'),
  type: z.enum(eventTypes),
  at: Timestamp.describe('When it happened. The order of a log is that of sealing.'),
  tenantId: z.string().nullable().describe('null in the log of the deployment.'),
  actor: z.strictObject({
    kind: z.enum(actorKinds),
    id: z.string().nullable().describe('`root` for the root key; null for an anonymous caller and the system.'),
    session: z.string().optional(),
  }),
  subject: z.strictObject({ kind: z.enum(subjectKinds), id: z.string().nullable() }),
  outcome: z.enum(['done', 'refused']),
  code: z
    .enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]])
    .optional()
    .describe('The error code of a refusal.'),
  details: z.record(z.string(), z.unknown()).optional(),
  changes: z.record(z.string(), Change).optional(),
  where: z.strictObject({
    network: z
      .string()
      .nullable()
      .describe('The network of the client: the first 24 bits of an IPv4 address, 48 of IPv6.'),
    userAgent: z.string().nullable().describe('Browser and system, such as `Chrome 142 on macOS`.'),
    requestId: z.string().nullable(),
  }),
})
export type RecordedEvent = z.infer<typeof RecordedEvent>
