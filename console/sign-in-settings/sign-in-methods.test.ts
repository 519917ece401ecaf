import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingFor } from './sign-in-methods.ts'

test('a method that sends codes needs something that carries them', () => {
  const missing = 'No sender is set up for it'
  assert.equal(missingFor('otp', { email: 'none', sms: 'none' }, undefined), missing)
  assert.equal(missingFor('otp', { email: 'none', sms: 'tenant' }, undefined), null)
  assert.equal(missingFor('password', { email: 'none', sms: 'tenant' }, undefined), missing)
  assert.equal(missingFor('password', { email: 'inbox', sms: 'inbox' }, undefined), null)
  assert.equal(missingFor('password', undefined, undefined), null)
  assert.equal(missingFor('guest', { email: 'none', sms: 'none' }, undefined), null)
})

test('a provider needs client ids', () => {
  assert.equal(missingFor('google', undefined, []), 'Client ids are missing')
  assert.equal(missingFor('google', undefined, ['web.apps.example.com']), null)
})
