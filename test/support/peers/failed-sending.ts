import assert from 'node:assert/strict'
import { PermanentFailure, TemporaryFailure } from '../../../server/delivery/provider.ts'
import { canaryCode } from './rendered-message.ts'

/** How a sending failed; no part of the message and no secret (`canary-…`) may be in it. */
export async function failureOf(sending: Promise<void>): Promise<PermanentFailure | TemporaryFailure> {
  const error = await sending.then(
    () => assert.fail('it was sent'),
    (reason) => reason,
  )
  assert.ok(error instanceof PermanentFailure || error instanceof TemporaryFailure, String(error))
  assert.equal(error.cause, undefined)
  const text = `${error.message}${error.stack}${JSON.stringify(error)}`.replace(/[ .-]/g, '')
  assert.doesNotMatch(text, new RegExp(`${canaryCode}|canary|Basic`))
  return error
}
