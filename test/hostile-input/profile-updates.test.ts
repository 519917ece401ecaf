import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import { storedEverything } from '../support/databases/stored-rows.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { schemaOfEveryKind, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const patch = (body: object | string) => target.send('updateProfile', { body })

const notMet = 'Validation rule not met'

test('ignores a thousand unknown keys and the profile’s column names (threat A26) (threat E01)', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`canary${index}`, 'canary-value']))
  const columns = {
    id: 'canary-value',
    createdAt: '1999-01-01T00:00:00.000Z',
    updatedAt: '1999-01-01T00:00:00.000Z',
    userId: 'canary-value',
    tenantId: 'canary-value',
    email: 'canary-value@example.com',
    role: 'canary-value',
    verified: true,
    emailVerified: true,
    passwordHash: 'canary-value',
    isAdmin: true,
    level: 'canary-value',
    NICKNAME: 'canary-value',
    'nickname ': 'canary-value',
  }
  const beforehand = assertSuccess(await patch({}), 200)
  target.service.log.length = 0
  const profile = assertSuccess(await patch({ ...unknown, ...columns, bio: 'known' }), 200)
  assert.deepEqual({ ...profile, bio: null, updatedAt: null }, { ...beforehand, bio: null, updatedAt: null })
  assert.equal(profile['bio'], 'known')
  assert.deepEqual(
    Object.keys(profile).sort(),
    ['createdAt', 'id', 'updatedAt', ...schemaOfEveryKind.components.map(({ name }) => name)].sort(),
  )
  assert.doesNotMatch(rowsAsText(), /canary/)
  assert.doesNotMatch(target.service.log.join(''), /canary/)
})

/** Every value in the database. */
const rowsAsText = (): string => JSON.stringify(storedEverything(target.service))

test('clears an optional field with null and rejects null for a required one (threat E03)', async () => {
  assertSuccess(await patch({ nickname: 'ada', tags: ['x'], newsletter: true }), 200)
  const cleared = assertSuccess(await patch({ nickname: null, tags: null, newsletter: null, birthDate: null }), 200)
  assert.deepEqual(
    [cleared['nickname'], cleared['tags'], cleared['newsletter'], cleared['fullName']],
    [null, null, null, 'Ada Victim'],
  )
  await target.unchanged(async () => {
    assertRefusal(await patch({ nickname: 'eve', fullName: null }), 'VALIDATION_ERROR', { fullName: notMet })
  })
})

test('reports every invalid value at once and stores nothing (threat E02)', async () => {
  await target.unchanged(async () => {
    assertRefusal(
      await patch({ nickname: 'x', birthDate: 'x', tags: 'x', height: '1', country: 'xx', bio: 'fine', unknown: 7 }),
      'VALIDATION_ERROR',
      {
        nickname: 'String must contain at least 2 character(s)',
        birthDate: 'Invalid date format',
        tags: 'Expected array, received string',
        height: 'Expected number, received string',
        country: notMet,
      },
    )
  })
})

test('never requests a URL from a profile (threat E07)', async () => {
  let connections = 0
  const count = () => {
    connections++
  }
  subscribe('net.client.socket', count)
  const website = 'http://169.254.169.254/latest/meta-data'
  assert.equal(assertSuccess(await patch({ website }), 200)['website'], website)
  unsubscribe('net.client.socket', count)
  // One is the connection of the test itself, which also proves that counting works.
  assert.equal(connections, 1)
})

test('returns markup, formulas and control sequences verbatim (threat E08)', async () => {
  target.service.log.length = 0
  for (const text of [
    '<img src=x onerror=alert(1)>',
    '=cmd|" /C calc"!A0',
    'a\r\n{"level":50}',
    '\u001b[31mred',
    '\u202etxt.exe',
    '</script>',
    '\u2028',
  ]) {
    const answer = await patch({ bio: text })
    assert.equal(assertSuccess(answer, 200)['bio'], text)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  }
  for (const written of target.service.log) JSON.parse(written)
})
