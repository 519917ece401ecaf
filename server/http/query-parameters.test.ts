import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { type Operation, operation } from '../../contract/operation.ts'
import { parameterGroup } from '../../contract/parameter-group.ts'
import { createQueryReader } from './query-parameters.ts'

const declared = (path: Operation['path']) =>
  operation({
    method: 'GET',
    path,
    summary: '',
    description: '',
    auth: 'admin',
    query: z.object({ limit: z.string().optional(), profile: parameterGroup('Fields.') }),
    status: 200,
    output: z.undefined(),
    errors: [],
  })
const strict = createQueryReader(declared('/admin/x'))
const lenient = createQueryReader(declared('/x'))

test('reads parameters of a group as one member, in their order, with everything that was sent', () => {
  const given = { 'profile.b': '1', limit: '5', 'profile.a.min': ['2', '3'], 'profile.c': '' }
  const query = strict(given)
  assert.deepEqual(query, { limit: '5', profile: { b: '1', 'a.min': ['2', '3'], c: '' } })
  assert.deepEqual(Object.keys(query['profile'] as object), ['b', 'a.min', 'c'])
  assert.deepEqual(lenient(given), query)
  assert.deepEqual(strict({ limit: '5' }), { limit: '5' })
})

test('an empty parameter outside of groups is refused under /admin, absent elsewhere', () => {
  const messages = { limit: 'Empty parameter; send a value or leave it out' }
  assert.throws(() => strict({ limit: '' }), { code: 'VALIDATION_ERROR', details: { validation: messages } })
  assert.throws(() => strict({ limit: '', other: '' }), {
    details: { validation: { ...messages, other: 'Unknown parameter' } },
  })
  assert.deepEqual(lenient({ limit: '' }), {})
})

test('a repeated parameter outside of groups is left to its schema under /admin, absent elsewhere', () => {
  assert.deepEqual(strict({ limit: ['1', '2'] }), { limit: ['1', '2'] })
  assert.deepEqual(lenient({ limit: ['1', '2'] }), {})
})

test('a parameter that belongs to no group is unknown: refused under /admin, ignored elsewhere', () => {
  for (const name of ['profile', 'profiles.a', 'Profile.a', 'profile.__proto__', '__proto__', 'other']) {
    const given = Object.fromEntries([[name, 'x']])
    assert.throws(() => strict(given), { code: 'VALIDATION_ERROR' }, name)
    assert.deepEqual(
      Object.keys(lenient({ ...given, limit: '5' })),
      name === 'profile.__proto__' ? ['limit', 'profile'] : ['limit'],
      name,
    )
  }
})
