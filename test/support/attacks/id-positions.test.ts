import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { operations } from '../../../contract/operations.ts'
import { idFieldsOf } from './id-positions.ts'

test('takes every parameter of a path and everything called an id for the id of a row of a tenant', () => {
  const params = z.object({ tenantId: z.string(), note: z.string() })
  const body = z.object({ teamId: z.string(), identifier: z.string(), lid: z.string() })
  assert.deepEqual(idFieldsOf('readNote', { ...operations.updateUser, params, body }), ['note', 'teamId'])
})
