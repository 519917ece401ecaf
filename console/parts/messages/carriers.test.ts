import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carriersOf } from './carriers.ts'

const own = { email: [{ type: 'smtp' as const, host: 'smtp.example.com' }] }
const production = { testingChannel: false, senders: { email: ['first'], sms: [] } }

test("in production, the tenant's senders carry messages, then the deployment's", () => {
  assert.deepEqual(carriersOf(production, own), { email: 'tenant', sms: 'none' })
  assert.deepEqual(carriersOf(production, undefined), { email: 'deployment', sms: 'none' })
  assert.deepEqual(carriersOf(production, { email: [] }), { email: 'deployment', sms: 'none' })
})

test('outside production, the code inbox carries all messages', () => {
  assert.deepEqual(carriersOf({ ...production, testingChannel: true }, own), { email: 'inbox', sms: 'inbox' })
})
