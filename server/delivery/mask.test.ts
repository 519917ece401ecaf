import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskEmail, maskPhone, maskRecipient } from './mask.ts'

test('shows the first letters of an e-mail address and its last label', () => {
  assert.equal(maskEmail('jane@example.com'), 'j***@e***.com')
  assert.equal(maskEmail('j@e.com'), 'j***@e***.com')
  assert.equal(maskEmail('jane.doe@mail.example.co.uk'), 'j***@m***.uk')
  assert.equal(maskEmail('jane@xn--mnchen-3ya.de'), 'j***@x***.de')
})

test('shows the first and last two digits of a phone number, and only the first of a short one', () => {
  assert.equal(maskPhone('+33612345678'), '+33******78')
  assert.equal(maskPhone('+12133734253'), '+12******53')
  assert.equal(maskPhone('+2901234'), '+29******')
})

test('hides the length of the address, and all of an invalid one', () => {
  assert.equal(maskEmail('jo@ex.com'), maskEmail('johannes@example.com'))
  assert.equal(maskPhone('+4366012345678'), maskPhone('+436601278'))
  assert.equal(maskEmail('secret'), '***')
})

test('masks a recipient by its delivery method', () => {
  assert.equal(maskRecipient('email', 'jane@example.com'), 'j***@e***.com')
  assert.equal(maskRecipient('sms', '+33612345678'), '+33******78')
})
