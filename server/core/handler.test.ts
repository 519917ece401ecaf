import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getAccount } from '../../contract/accounts/account.ts'
import { resendOtp } from '../../contract/accounts/otp.ts'
import { serve } from '../http/mount.ts'
import type { Handler } from './handler.ts'
import { refuse } from './service-error.ts'

// The compiler is the test: `@ts-expect-error` fails the type check where the next line compiles.

test('a handler refuses only with codes that its operation declares', async () => {
  const handler: Handler<typeof resendOtp> = (_input, call) => {
    if (call.now < 0) throw call.refuse('OTP_NOT_FOUND')
    // @ts-expect-error: /otp/resend does not declare it
    throw call.refuse('USER_NOT_FOUND')
  }
  assert.ok(handler)
  assert.equal(refuse('OTP_NOT_FOUND').code, 'OTP_NOT_FOUND')
})

test('a line of app.ts repeats the authentication and limit of its operation, and names its own handler', () => {
  const handler: Handler<typeof resendOtp> = () => ({ success: true })
  serve('tenant', '30/h', resendOtp, handler)
  // @ts-expect-error: another authentication
  serve('admin', '30/h', resendOtp, handler)
  // @ts-expect-error: another limit
  serve('tenant', '31/h', resendOtp, handler)
  // @ts-expect-error: the handler of another operation
  const { operation } = serve('tenant, user', '-', getAccount, handler)
  assert.equal(operation, getAccount)
})
