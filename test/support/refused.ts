import assert from 'node:assert/strict'
import { type ErrorCode, errors } from '../../contract/errors.ts'
import { TenantryError } from '../../packages/client/src/index.ts'

/** Asserts that a call fails with this code and its status, and returns the error. */
export async function refused(call: Promise<unknown>, code: ErrorCode): Promise<TenantryError> {
  const refusal = await call.then(
    (answer) => assert.fail(`expected ${code}, but it was answered: ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(refusal instanceof TenantryError)) throw refusal
  assert.equal(refusal.code, code)
  assert.equal(refusal.status, errors[code].status)
  return refusal
}

/** Asserts a 400 with exactly these messages by field. */
export async function invalid(call: Promise<unknown>, validation: Record<string, string>): Promise<void> {
  const refusal = await refused(call, 'VALIDATION_ERROR')
  assert.deepEqual(refusal.validation, validation)
}
