import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskEmail, maskPhone, maskRecipient } from './mask.ts'

test('an e-mail address keeps the first letter of either side and its last label', () => {
  assert.equal(maskEmail('jane@example.com'), 'j***@e***.com')
  assert.equal(maskEmail('j@e.com'), 'j***@e***.com')
  assert.equal(maskEmail('jane.doe@mail.example.co.uk'), 'j***@m***.uk')
  assert.equal(maskEmail('jane@xn--mnchen-3ya.de'), 'j***@x***.de')
})

test('a phone number keeps its first and last two digits, a short one only the first', () => {
  assert.equal(maskPhone('+33612345678'), '+33******78')
  assert.equal(maskPhone('+12133734253'), '+12******53')
  assert.equal(maskPhone('+2901234'), '+29******')
})

test('neither shows how much it hides, and what is no address shows nothing', () => {
  assert.equal(maskEmail('jo@ex.com'), maskEmail('johannes@example.com'))
  assert.equal(maskPhone('+4366012345678'), maskPhone('+436601278'))
  assert.equal(maskEmail('secret'), '***')
})

test('a recipient is masked by the way its code goes', () => {
  assert.equal(maskRecipient('email', 'jane@example.com'), 'j***@e***.com')
  assert.equal(maskRecipient('sms', '+33612345678'), '+33******78')
})
