import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProblems } from './open-problems.ts'

const origin = { 'security.allowedOrigins.1': 'Expected an origin' }
const sent = { otp: { length: 99, ttlSeconds: 5 }, security: { allowedOrigins: ['https://a.example', 'b'] } }
const problems = { 'otp.length': 'Too long', 'otp.ttlSeconds': 'Too short', ...origin }
const allowing = (...allowedOrigins: string[]) => ({ ...sent, security: { allowedOrigins } })

test('a message stays until what it is about is edited', () => {
  assert.deepEqual(openProblems(problems, sent, structuredClone(sent)), problems)
  const { 'otp.length': _, ...others } = problems
  assert.deepEqual(openProblems(problems, sent, { ...sent, otp: { length: 6, ttlSeconds: 5 } }), others)
  assert.deepEqual(openProblems(problems, sent, { ...sent, otp: { ttlSeconds: 5 } }), others)
})

test('a message about an item stays with the item, wherever it is moved', () => {
  assert.deepEqual(openProblems(origin, sent, allowing('b', 'https://a.example')), origin)
  assert.deepEqual(openProblems(origin, sent, allowing('https://a.example', 'https://b.example')), {})
  assert.deepEqual(openProblems(origin, sent, allowing('https://a.example')), {})
})

test('a message about what is missing stays until it is there', () => {
  const missing = { 'delivery.from.address': 'Required' }
  assert.deepEqual(openProblems(missing, {}, { otp: { length: 6 } }), missing)
  assert.deepEqual(openProblems(missing, {}, { delivery: { from: { address: 'a@example.com' } } }), {})
})
