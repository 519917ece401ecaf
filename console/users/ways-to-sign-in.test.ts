import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOff, withoutPassword } from './ways-to-sign-in.ts'

test('promises a user without a password only what the tenant offers', () => {
  const optional = 'Optional. Without one, the user signs in with'
  assert.equal(withoutPassword(undefined), `${optional} a code or a provider.`)
  assert.equal(withoutPassword(['password', 'otp', 'google', 'apple']), `${optional} a code or a provider.`)
  assert.equal(withoutPassword(['password', 'otp', 'guest']), `${optional} a code.`)
  assert.equal(withoutPassword(['facebook', 'password']), `${optional} a provider.`)
  for (const methods of [['password'], ['password', 'guest']] as const)
    assert.equal(withoutPassword(methods), 'This tenant has passwords only: without one the user cannot sign in.')
  assert.equal(withoutPassword(['otp']), 'Passwords are off for this tenant: the user signs in with a code.')
  for (const methods of [[], ['guest']] as const)
    assert.match(withoutPassword(methods), /are off for this tenant: the user cannot sign in\.$/)
})

test('a method is off only if the methods of the tenant are known and lack it', () => {
  assert.equal(isOff('otp', undefined), false)
  assert.equal(isOff('otp', ['password', 'otp']), false)
  assert.equal(isOff('otp', ['password']), true)
})
