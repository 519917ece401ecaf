import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds, eventTypes as known } from '../../contract/events.ts'
import type { EventType } from './recorded-event.ts'
import { eventTypes, sentenceOf } from './sentences.ts'

test('has a sentence for each event type of the catalogue', () => {
  assert.deepEqual(eventTypes.toSorted(), known.toSorted())
})

test('says no undefined value, whichever details an event has', () => {
  for (const type of known) {
    const { details = [] } = eventKinds[type] as { details?: readonly string[] }
    for (const given of [{}, Object.fromEntries(details.map((name) => [name, name]))])
      assert.doesNotMatch(sentenceOf({ type, details: given }), /undefined|NaN|null|\s{2}/, type)
  }
})

const cases: readonly (readonly [EventType, Record<string, unknown>, string])[] = [
  ['sign_in.succeeded', { method: 'otp' }, '{subject} signed in with a code'],
  ['user.restricted', { capabilities: ['sign_in', 'upload'] }, '{actor} restricted {subject}: sign in, upload'],
  ['users.exported', { users: 1, complete: false }, '{actor} exported 1 user, and broke off'],
  ['users.imported', { imported: 12_000, complete: true }, '{actor} imported 12,000 users'],
  ['session.ended', { reason: 'password_reset' }, '{actor} ended a session of {subject}: password reset'],
  // What the server records of a wrong key.
  ['operator.refused', { operation: 'createConsoleSession' }, 'A sign-in to the console was refused'],
  [
    'operator.refused',
    { operation: 'listTenants', missing: 'tenants:read' },
    '{actor} was not allowed to list tenants: tenants:read is missing',
  ],
  ['operator.refused', { operation: 'ofNewerServer' }, '{actor} was not allowed to use ofNewerServer'],
  ['limit.exceeded', { operation: 'issueOtp' }, '{actor} exceeded a rate limit: issue a one-time password'],
]
for (const [type, details, sentence] of cases)
  test(`${type}: ${sentence}`, () => assert.equal(sentenceOf({ type, details }), sentence))

test('tells a guest who became a full user from an address that lost its verification', () => {
  const updated = (...names: string[]) =>
    sentenceOf({ type: 'user.updated', changes: Object.fromEntries(names.map((name) => [name, {}])) })
  assert.equal(updated('guest'), '{actor} made {subject} a full user')
  const takenBack = '{actor} took back the verification of'
  assert.equal(updated('emailVerified'), `${takenBack} the e-mail address of {subject}`)
  assert.equal(
    updated('emailVerified', 'phoneVerified'),
    `${takenBack} the e-mail address and the phone number of {subject}`,
  )
})

test('names what changed, at most three of them', () => {
  const changed = (...names: string[]) =>
    sentenceOf({ type: 'configuration.changed', changes: Object.fromEntries(names.map((name) => [name, {}])) })
  assert.equal(changed(), '{actor} changed the configuration')
  assert.equal(changed('otp.length'), '{actor} changed the configuration: otp.length')
  assert.equal(changed('a', 'b', 'c', 'd', 'e'), '{actor} changed the configuration: a, b, c and 2 more')
})

test('describes a type of a newer server by its name', () => {
  assert.equal(sentenceOf({ type: 'upload.stored' as EventType }), 'upload.stored by {actor}')
})
