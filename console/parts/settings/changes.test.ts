import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Change, changesBetween, overlaps, patchOf, withChanges, withoutAddedBlanks } from './changes.ts'

const before = { auth: { methods: ['otp'], guest: { idleDays: 30 } }, otp: { length: 6 }, own: { dark: null } }
const changed = (after: object) => changesBetween(before, after)
const at = ({ path, after }: Change) => [path.join('.'), after]

test('finds what differs, with a list as one value', () => {
  assert.deepEqual(changed(structuredClone(before)), [])
  assert.deepEqual(changed({ own: { dark: null }, otp: { length: 6 }, auth: before.auth }), [])
  const after = { auth: { methods: ['otp', 'password'], guest: {} }, otp: { length: 8 }, own: { dark: null }, new: [] }
  assert.deepEqual(changed(after).map(at), [
    ['auth.methods', ['otp', 'password']],
    ['auth.guest.idleDays', undefined],
    ['otp.length', 8],
    ['new', []],
  ])
  assert.deepEqual(changesBetween({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }).map(at), [['a', [{ b: 2 }]]])
  assert.deepEqual(changesBetween({ a: [{ b: 1 }] }, { a: [{ b: 1 }] }), [])
  assert.deepEqual(changesBetween({ a: { b: 1 } }, { a: 1 }).map(at), [['a', 1]])
})

test('makes the changes in another document, and keeps the rest of it', () => {
  const mine = changed({ ...before, otp: { length: 8 }, auth: { methods: ['otp'] } })
  const theirs = { ...before, otp: { length: 6, maxResends: 5 }, own: {} }
  assert.deepEqual(withChanges(theirs, mine), {
    auth: { methods: ['otp'] },
    otp: { length: 8, maxResends: 5 },
    own: {},
  })
  assert.deepEqual(withChanges({}, changesBetween({}, { a: { b: { c: null } } })), { a: { b: { c: null } } })
})

test('is a merge patch of what changed alone', () => {
  const after = { ...before, auth: { methods: ['otp'] }, otp: { length: 8 } }
  assert.deepEqual(patchOf(changed(after)), { auth: { guest: null }, otp: { length: 8 } })
  assert.deepEqual(patchOf([]), {})
})

test('knows whether two sides changed the same', () => {
  const one = changed({ ...before, otp: { length: 8 } })
  assert.equal(overlaps(one, changed({ ...before, otp: { length: 9 } })), true)
  assert.equal(overlaps(one, changed({ auth: before.auth, own: before.own })), true, 'the whole module is gone')
  assert.equal(overlaps(one, changed({ ...before, auth: { methods: [] } })), false)
})

test('a member that every object inherits is one that a document may have', () => {
  const own = JSON.parse('{"constructor": {"a": 1}, "toString": "b"}')
  assert.deepEqual(changesBetween({}, own), [
    { path: ['constructor'], before: undefined, after: { a: 1 } },
    { path: ['toString'], before: undefined, after: 'b' },
  ])
  assert.deepEqual(patchOf(changesBetween(own, {})), JSON.parse('{"constructor": null, "toString": null}'))
  assert.deepEqual(withChanges(own, changesBetween(own, {})), {})
})

test('leaves out what is off or empty and not stored, and keeps it where it is stored', () => {
  const stored = { auth: { guest: { idleDays: 30 } }, security: { passwordBlocklist: true, allowedOrigins: ['a'] } }
  const emptied = { auth: { guest: {} }, security: { passwordBlocklist: false, allowedOrigins: [] } }
  assert.deepEqual(withoutAddedBlanks(emptied, stored), emptied)
  assert.deepEqual(withoutAddedBlanks({ ...emptied, otp: { maxResends: 0, length: undefined } }, {}), {
    otp: { maxResends: 0 },
  })
  assert.deepEqual(withoutAddedBlanks({ toString: [] }, {}), {})
})
