import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smsPrefix } from './sms-brake.ts'

const prefixes: [phone: string, prefix: string][] = [
  ['+33612345678', '+33612'],
  ['+12025550123', '+1202'],
  ['+4915123456789', '+49151'],
  ['+2901234', '+290123'],
  ['+881612345678', '+881612'],
]

for (const [phone, prefix] of prefixes) {
  test(`the prefix of ${phone} is ${prefix}`, () => assert.equal(smsPrefix(phone), prefix))
}
