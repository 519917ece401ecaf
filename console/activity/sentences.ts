import { operationSummaries } from '../../contract/generated/operation-summaries.ts'
import { counted } from '../parts/counted.ts'
import { providerNames } from '../parts/provider-names.ts'
import type { EventType, RecordedEvent } from './recorded-event.ts'

/** A sentence about an event; `{actor}` and `{subject}` stand for who acted and what it is about. */
type Sentence = string | ((details: Named, changes: Named) => string)
type Named = Readonly<Record<string, unknown>>

const methods: Readonly<Record<string, string>> = {
  password: 'a password',
  otp: 'a code',
  ...providerNames,
  guest: 'no proof, as a guest',
}
const withMethod = ({ method }: Named): string =>
  method === undefined ? '' : ` with ${methods[String(method)] ?? method}`
const listOf = (names: unknown): string => (Array.isArray(names) ? names.join(', ').replaceAll('_', ' ') : '')
const count = (value: unknown, one: string): string => (typeof value === 'number' ? counted(value, one) : `${one}s`)
const early = ({ complete }: Named): string => (complete === false ? ', and broke off' : '')

/** One sentence for each type, in plain words; `{changes}` stands for the names of what changed. */
const sentences: Readonly<Record<EventType, Sentence>> = {
  'user.created': (details) => `{actor} created {subject}${withMethod(details)}`,
  'user.updated': (_details, changes) =>
    'guest' in changes
      ? '{actor} made {subject} a full user'
      : `{actor} took back the verification of ${unverifiedOf(changes)} of {subject}`,
  'user.deleted': '{actor} erased {subject}',
  'user.suspended': '{actor} suspended {subject}',
  'user.restored': '{actor} lifted the suspension of {subject}',
  'user.restricted': ({ capabilities }) => `{actor} restricted {subject}: ${listOf(capabilities)}`,
  'user.unrestricted': ({ capabilities }) => `{actor} lifted restrictions of {subject}: ${listOf(capabilities)}`,
  'user.email_changed': '{actor} changed the e-mail address of {subject}',
  'user.phone_changed': '{actor} changed the phone number of {subject}',
  'user.email_verified': '{actor} verified the e-mail address of {subject}',
  'user.phone_verified': '{actor} verified the phone number of {subject}',
  'user.password_changed': '{actor} changed the password of {subject}',
  'session.created': (details) => `A session of {subject} began${withMethod(details)}`,
  'session.refreshed': 'A session of {subject} got a new access token',
  'session.ended': ({ reason }) =>
    `{actor} ended a session of {subject}${reason === undefined ? '' : `: ${words(reason)}`}`,
  'session.reuse_detected': 'A refresh token of {subject} was used twice, so its session was ended',
  'sign_in.succeeded': (details) => `{subject} signed in${withMethod(details)}`,
  'sign_in.refused': (details) => `A sign-in${withMethod(details)} as {subject} was refused`,
  'step_up.succeeded': (details) => `{subject} proved again who they are${withMethod(details)}`,
  'step_up.refused': (details) => `A second proof${withMethod(details)} of {subject} was refused`,
  'recovery.started': '{subject} got a code that undoes a change of address',
  'recovery.completed': '{actor} undid a change of address of {subject}',
  'identity.added': ({ provider }) => `{actor} added ${providerOf(provider)} as a way to sign in to {subject}`,
  'identity.removed': ({ provider }) => `{actor} removed ${providerOf(provider)} as a way to sign in to {subject}`,
  'identity.linked_by_address': ({ provider }) =>
    `A sign-in with ${providerOf(provider)} was linked to {subject}, who has the same verified address`,
  'otp.created': ({ scope, deliveryMethod }) =>
    `{actor} had a code sent by ${channel(deliveryMethod)}${purposeOf(scope)}`,
  'otp.resent': ({ scope }) => `{actor} had a code sent again${purposeOf(scope)}`,
  'otp.verified': ({ scope }) => `A code was verified${purposeOf(scope)}`,
  'otp.wrong_code': ({ scope }) => `A wrong code was entered${purposeOf(scope)}`,
  'otp.locked': ({ scope }) => `A code was locked after too many wrong entries${purposeOf(scope)}`,
  'otp.consumed': ({ scope }) => `A verified code was used${purposeOf(scope)}`,
  'password_reset.requested': 'A password reset was requested for {subject}',
  'password_reset.completed': 'The password of {subject} was reset',
  'profile.created': '{actor} filled in the profile of {subject}',
  'profile.updated': '{actor} changed the profile of {subject}{changes}',
  'profile_schema.published': ({ state }) =>
    `{actor} published the profile schema {subject}${state === 'building' ? ', which is being indexed' : ''}`,
  'profile_schema.built': 'The profile schema {subject} became current',
  'profile_schema.failed': 'The profile schema {subject} has no effect: users have equal values',
  'message.failed': ({ deliveryMethod }) => `A message by ${channel(deliveryMethod)} could not be delivered`,
  'message.tested': ({ deliveryMethod }) => `{actor} sent a test message by ${channel(deliveryMethod)}`,
  'message.retried': ({ deliveryMethod }) => `{actor} had a message by ${channel(deliveryMethod)} sent again`,
  'tenant.updated': '{actor} changed {subject}{changes}',
  'tenant.suspended': '{actor} suspended {subject}',
  'tenant.restored': '{actor} lifted the suspension of {subject}',
  'tenant_key.created': ({ kind }) => `{actor} created {subject}${kind === undefined ? '' : `, a ${words(kind)} one`}`,
  'tenant_key.rotated': '{actor} replaced {subject} by a new one',
  'tenant_key.revoked': '{actor} revoked {subject}',
  'configuration.changed': '{actor} changed the configuration{changes}',
  'users.export_started': ({ hashes }) =>
    `{actor} began to export users${hashes === true ? ' with password hashes' : ''}`,
  'users.exported': (details) => `{actor} exported ${count(details['users'], 'user')}${early(details)}`,
  'users.import_started': '{actor} began to import users',
  'users.imported': (details) => `{actor} imported ${count(details['imported'], 'user')}${early(details)}`,
  'codes.read': '{actor} read codes in the code inbox',
  'codes.cleared': ({ messages }) => `{actor} cleared ${count(messages, 'message')} of the code inbox`,
  'events.exported': '{actor} exported the activity',
  'limit.exceeded': ({ operation }) =>
    `{actor} exceeded a rate limit${operation === undefined ? '' : `: ${operationOf(operation)}`}`,
  'tenant.created': '{actor} created {subject}',
  'tenant.deleted': '{actor} deleted {subject}',
  'operator.created': '{actor} created {subject}',
  'operator.updated': '{actor} changed {subject}{changes}',
  'operator.rotated': '{actor} replaced the key of {subject}',
  'operator.revoked': '{actor} revoked {subject}',
  'operator.signed_in': '{actor} signed in to the console',
  'operator.refused': ({ operation, missing }) =>
    operation === undefined || operation === 'createConsoleSession'
      ? 'A sign-in to the console was refused'
      : `{actor} was not allowed to ${operationOf(operation)}${missing === undefined ? '' : `: ${words(missing)} is missing`}`,
  'signing_key.rotated': '{actor} rotated the signing keys',
  'signing_key.withdrawn': '{actor} withdrew all signing keys',
}

const channel = (method: unknown): string => (method === 'sms' ? 'SMS' : 'e-mail')
const unverifiedOf = (changes: Named): string =>
  Object.entries({ emailVerified: 'the e-mail address', phoneVerified: 'the phone number' })
    .flatMap(([name, address]) => (name in changes ? [address] : []))
    .join(' and ') || 'an address'
const providerOf = (provider: unknown): string =>
  provider === undefined ? 'a provider' : (methods[String(provider)] ?? words(provider))
const purposeOf = (scope: unknown): string => (scope === undefined ? '' : `: ${words(scope)}`)
/** What an operation does, within a sentence: "list tenants". One of a newer server has its name only. */
function operationOf(name: unknown): string {
  const summary = operationSummaries[String(name)]
  return summary === undefined ? `use ${name}` : summary.charAt(0).toLowerCase() + summary.slice(1)
}
const words = (name: unknown): string => String(name ?? '').replaceAll('_', ' ')

/** The types, in groups: the filter offers both. */
export const eventTypes = Object.keys(sentences) as EventType[]

/** The sentence about an event, with `{actor}` and `{subject}` in it. */
export function sentenceOf({
  type,
  details = {},
  changes = {},
}: Pick<RecordedEvent, 'type' | 'details' | 'changes'>): string {
  // A newer server may record what this page does not know.
  const sentence = sentences[type] ?? `${words(type)} by {actor}`
  const text = typeof sentence === 'string' ? sentence : sentence(details, changes)
  return text.replace('{changes}', nameSome(Object.keys(changes)))
}

/** The first three names. */
function nameSome(names: readonly string[]): string {
  if (names.length === 0) return ''
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return `: ${names.slice(0, 3).join(', ')}${more}`
}

/** The name of a type or of a group of types, for the filter: "Sign in: refused". */
export function nameOfType(type: string): string {
  const name = words(type.replace('.', ': '))
  return name.charAt(0).toUpperCase() + name.slice(1)
}
