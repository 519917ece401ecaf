import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { changesNothing, storedEverything } from '../support/databases/stored-rows.ts'
import { type RawAnswer, request } from '../support/http/raw-request.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

let keys = 0
const newKey = () => `key-${++keys}`
const countKept = () => storedEverything(service)['idempotency_keys']!.length

function asOperator(line: string, key: string, body: unknown): Promise<RawAnswer> {
  const headers = { authorization: `Bearer ${service.adminKey}`, 'idempotency-key': key }
  return request(service, line, { body, headers })
}

describe('rotating a key', () => {
  const rotations = {
    'an operator': async () => {
      const { id } = await service.admin.createOperator({ name: 'Ada', role: 'support' })
      return `POST /admin/operators/${id}/rotate`
    },
    'a tenant': async () => {
      const { id } = await service.admin.createTenantKey(tenant, { kind: 'secret' })
      return `POST /admin/tenants/${tenant.tenantId}/keys/${id}/rotate`
    },
  }
  for (const [owner, addKey] of Object.entries(rotations)) {
    for (const body of [{}, { overlapHours: 0, overlapSeconds: 0 }]) {
      const title = `of ${owner} with ${JSON.stringify(body)}`
      test(`${title}: repeats answer the same new key and replace nothing (IDEMPOTENCY-2)`, async () => {
        const [line, key] = [await addKey(), newKey()]
        const first = await asOperator(line, key, body)
        assert.equal(first.status, 201, first.text)
        await changesNothing(service, async () => {
          const again = await asOperator(line, key, body)
          assert.deepEqual([again.status, again.body.data], [201, first.body.data])
        })
      })

      test(`${title}: of eight racing repeats one acts (IDEMPOTENCY-4)`, async () => {
        const [line, key] = [await addKey(), newKey()]
        const answers = await Promise.all(Array.from({ length: 8 }, () => asOperator(line, key, body)))
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
        assert.equal(new Set(answers.map((answer) => answer.body.data.key)).size, 1)
      })
    }

    test(`of ${owner}: a header used for another one is unused (IDEMPOTENCY-7)`, async () => {
      const key = newKey()
      const [one, other] = [await asOperator(await addKey(), key, {}), await asOperator(await addKey(), key, {})]
      assert.deepEqual([one.status, other.status], [201, 201])
      assert.notEqual(one.body.data.key, other.body.data.key)
    })
  }

  test('that is refused keeps nothing: the header is unused (IDEMPOTENCY-5)', async () => {
    const line = await rotations['a tenant']()
    const revoke = line.replace('POST', 'DELETE').replace('/rotate', '')
    await request(service, revoke, { headers: { authorization: `Bearer ${service.adminKey}` } })
    const before = countKept()
    assert.equal((await asOperator(line, newKey(), {})).body.error.code, 'TENANT_KEY_NOT_FOUND')
    assert.equal(countKept(), before)
  })
})
