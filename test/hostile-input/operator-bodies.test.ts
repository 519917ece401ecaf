import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storedRow } from '../support/databases/stored-rows.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { type BodyOperation, startTarget, type Target } from './target.ts'

let target: Target
before(async () => {
  target = await startTarget()
})
after(() => target[Symbol.asyncDispose]())

const rule = 'Validation rule not met'

/** Each body is refused with the message of its one invalid field, and changes nothing. */
async function refuses(
  operation: BodyOperation,
  field: string,
  cases: readonly (readonly [json: string, message: string])[],
) {
  await target.unchanged(async () => {
    for (const [json, message] of cases) {
      const name = field.split('.')[0]!
      const { [name]: _valid, ...rest } = target.bodies[operation]
      const others = JSON.stringify(rest).slice(1, -1)
      const body = `{${others}${others === '' ? '' : ','}"${name}":${json}}`
      assertRefusal(await target.send(operation, { body }), 'VALIDATION_ERROR', { [field]: message })
    }
  })
}

const granting = ['createOperator', 'updateOperator'] as const

test('grants known scopes in a list only (threat A11)', async () => {
  const enumeration = 'Invalid enum value'
  for (const operation of granting) {
    const ofFirst = [
      '"unknown"',
      '"TENANTS:READ"',
      '"tenants:read "',
      '"toString"',
      '"__proto__"',
      '1',
      'null',
      '["*"]',
    ]
    await refuses(
      operation,
      'scopes.0',
      ofFirst.map((scope) => [`[${scope}]`, enumeration] as const),
    )
    await refuses(operation, 'scopes', [
      ['"*"', 'Expected array, received string'],
      ['{"0":"*","length":1}', 'Expected array, received object'],
      ['null', 'Expected array, received null'],
      ['[]', rule],
      [JSON.stringify(Array(50).fill('*')), rule],
    ])
    const both = { name: 'x', role: 'viewer', scopes: ['*'] }
    const message = { role: 'Send either role or scopes, not both' }
    assertRefusal(await target.send(operation, { body: both }), 'VALIDATION_ERROR', message)
  }
})

test('binds operators to existing tenants only, whatever the ids are (threat A12, A13)', async () => {
  const ids = ['unknown', 'a\0b', '\ud800', '', "' OR 1=1--", '%', '__proto__', 'x'.repeat(50_000)]
  const { tenantId } = target.tenant
  for (const operation of granting) {
    await refuses(
      operation,
      'tenantIds.0',
      ids.map((id) => [JSON.stringify([id]), 'Unknown tenant'] as const),
    )
    await refuses(operation, 'tenantIds.1', [[JSON.stringify([tenantId, tenantId.toLowerCase()]), 'Unknown tenant']])
    await refuses(operation, 'tenantIds', [
      ['[]', rule],
      [JSON.stringify(Array(101).fill(tenantId)), rule],
      [`"${tenantId}"`, 'Expected array, received string'],
    ])
  }
})

test('expiry is a time in the future', async () => {
  const texts = ['tomorrow', '2027-01-01', '2026-02-30T00:00:00Z', '2027-01-01T24:00:00Z', '2027-01-01T00:00:00+99:00']
  for (const operation of granting) {
    await refuses(operation, 'expiresAt', [
      ...[...texts, '+275760-09-13T00:00:00Z', ''].map((text) => [JSON.stringify(text), rule] as const),
      ['"2020-01-01T00:00:00Z"', 'Must be in the future'],
      ['"0000-01-01T00:00:00Z"', 'Must be in the future'],
      ['1798761600000', 'Expected string, received number'],
    ])
  }
})

test('hours and batches are whole numbers in their range', async () => {
  const wrong = [
    ['"1"', 'Expected number, received string'],
    ['1.5', 'Expected integer, received float'],
    ['null', 'Expected number, received null'],
    ['true', 'Expected number, received boolean'],
    ['[1]', 'Expected number, received array'],
    ['-1', rule],
    ['1e400', rule],
    ['9007199254740993', rule],
  ] as const
  await refuses('rotateOperatorKey', 'overlapHours', [...wrong, ['8761', rule]])
  for (const operation of ['verifyEvents', 'verifyDeploymentEvents'] as const) {
    await refuses(operation, 'fromBatch', [...wrong, ['0', rule]])
    await refuses(operation, 'tenantId', [['"other"', 'Unrecognized key']])
    const { faults } = assertSuccess(
      await target.send(operation, { body: { fromBatch: Number.MAX_SAFE_INTEGER } }),
      201,
    )
    assert.deepEqual(
      (faults as { kind: string }[]).map(({ kind }) => kind),
      ['gap'],
    )
  }
})

test('treats SQL metacharacters and control characters in the id of an operator as unknown (threat A12)', async () => {
  const ids = ["'%20OR%201=1--", '%25', '_', '%00', '%ff', 'a%2fb', '..%2f..', '%f0%9f%92%a5', 'x'.repeat(5_000)]
  await target.unchanged(async () => {
    for (const id of ids) {
      for (const operation of ['updateOperator', 'rotateOperatorKey'] as const) {
        const { path, ...request } = target.request(operation)
        const answer = await send(target.service.baseUrl, { ...request, path: path!.replace(target.operatorId, id) })
        const { code } = JSON.parse(answer.text).error
        assert.ok(['OPERATOR_NOT_FOUND', 'NOT_FOUND', 'BAD_REQUEST'].includes(code), `${id}: ${answer.text}`)
      }
    }
  })
})

test('signs in to the console with the exact key only, and sets no cookie otherwise', async () => {
  const { adminKey, database } = target.service
  const { key } = await target.service.admin.createOperator({ name: 'Other', role: 'viewer' })
  const { id } = storedRow(target.service, "SELECT id FROM operators WHERE name = 'Other'")
  const keys = ["' OR 1=1--", '%', '*', `${adminKey} `, ` ${adminKey}`, adminKey.toUpperCase(), `Bearer ${adminKey}`]
  const parts = [
    `op_${id}_`,
    key.slice(0, -1),
    `${key}0`,
    key.toUpperCase(),
    key.replace('op_', 'pk_'),
    target.tenant.key,
  ]
  await target.unchanged(async () => {
    for (const wrong of [...keys, ...parts]) {
      const answer = await target.send('createConsoleSession', { body: { key: wrong } })
      assertRefusal(answer, 'INVALID_ADMIN_KEY')
      assert.equal(answer.headers['set-cookie'], undefined)
    }
  })
  assert.deepEqual(
    database.ask('SELECT COUNT(*) AS count FROM operator_sessions').map(({ count }) => Number(count)),
    [0],
  )
})
