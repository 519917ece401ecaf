import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import { streamEvents } from './events.ts'
import { createTenantKey, rotateTenantKey } from './keys.ts'
import { rotateOperatorKey, updateOperator } from './operators.ts'
import { getStatistics } from './statistics.ts'
import { createTenant } from './tenants.ts'
import { ImportedUser } from './user-lines.ts'
import { listUsers, updateUser } from './users.ts'
import { verifyEvents } from './verify-events.ts'

function assertLimits(schema: z.ZodType, accepted: readonly object[], refused: readonly object[]): void {
  for (const input of accepted) assert.ok(schema.safeParse(input).success, JSON.stringify(input).slice(0, 200))
  for (const input of refused) assert.ok(!schema.safeParse(input).success, JSON.stringify(input).slice(0, 200))
}
const ofNumber = (name: string, schema: z.ZodType, min: number, max: number) =>
  assertLimits(
    schema,
    [{ [name]: min }, { [name]: max }],
    [min - 1, max + 1, min + 0.5, `${min}`].map((value) => ({ [name]: value })),
  )
const ofText = (name: string, schema: z.ZodType, max: number) =>
  assertLimits(
    schema,
    [{ [name]: 'x' }, { [name]: 'x'.repeat(max) }],
    [{ [name]: '' }, { [name]: 'x'.repeat(max + 1) }],
  )
const ofList = (name: string, schema: z.ZodType, max: number, item: unknown) => {
  const list = (length: number) => ({ name: 'Name', [name]: Array.from({ length }, () => item) })
  assertLimits(schema, [list(max)], [list(max + 1)])
}

test('limits numbers', () => {
  ofNumber('overlapSeconds', rotateTenantKey.body, 0, 31_536_000)
  ofNumber('overlapHours', rotateOperatorKey.body, 0, 8760)
  ofNumber('fromBatch', verifyEvents.body, 1, Number.MAX_SAFE_INTEGER)
})

test('limits texts', () => {
  ofText('name', createTenant.body, 200)
  ofText('name', createTenantKey.body, 200)
  ofText('name', updateOperator.body, 200)
  ofText('q', listUsers.query, 254)
  ofText('cursor', listUsers.query, 2000)
  ofText('timezone', getStatistics.query, 64)
  const days = (...texts: string[]) => texts.map((text) => ({ days: text }))
  assertLimits(getStatistics.query, days('1', '9', '10', '89', '90'), days('', '0', '01', '91', '100', '1.5', '-1'))
  const ids = (...texts: string[]) => texts.map((text) => ({ lastEventId: text }))
  assertLimits(streamEvents.query, ids('0', '1', '9'.repeat(15)), ids('', '00', '01', '9'.repeat(16), '-1', '1.5'))
})

test('refuses names that are not displayed as typed, or not at all', () => {
  const names = ['a\nb', 'a\u202eb', '\u200b', ' '].map((name) => ({ name }))
  for (const { body } of [createTenant, createTenantKey, updateOperator]) assertLimits(body, [{ name: 'ab' }], names)
})

test('limits the length of lists', () => {
  const restriction = { capability: 'sign_in' }
  ofList('restrictedCapabilities', createTenant.body, 20, 'otp')
  ofList('restrictedCapabilities', updateUser.body, 20, 'sign_in')
  ofList('restrictions', updateUser.body, 20, restriction)
  ofList('restrictions', ImportedUser, 20, restriction)
  ofList('identities', ImportedUser, 1000, { provider: 'google', subject: '1' })
  ofList('tenantIds', updateOperator.body, 100, '01KF0RDQG0ZZZZZZZZZZZZZ100')
})

test('limits the ids of imported users and of their accounts at providers', () => {
  const ids = (...texts: string[]) => texts.map((id) => ({ id }))
  const id = '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'
  assertLimits(
    ImportedUser,
    ids(id),
    ids('', `8${id.slice(1)}`, `${id}0`, id.slice(1), id.toLowerCase(), `7U${id.slice(2)}`),
  )
  const subjects = (...texts: string[]) => texts.map((subject) => ({ identities: [{ provider: 'apple', subject }] }))
  assertLimits(ImportedUser, subjects('~', 'x'.repeat(255)), subjects('', 'x'.repeat(256), 'é', 'a\n'))
})
