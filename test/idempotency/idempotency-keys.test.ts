import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { changesNothing, storedEverything, storedRows } from '../support/databases/stored-rows.ts'
import { type RawAnswer, request } from '../support/http/raw-request.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const day = 24 * 60 * 60_000

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

let keys = 0
const newKey = () => `key-${++keys}`

/** An operation that accepts a key, with a new body for each call, and the table that shows its effect. */
const operations: Record<
  string,
  { send(key: string, body: object): Promise<RawAnswer>; body(): object; table: string }
> = {
  'POST /admin/tenants': {
    send: (key, body) => asOperator('POST /admin/tenants', key, body),
    body: () => ({ name: `Tenant ${newKey()}` }),
    table: 'tenants',
  },
  'POST /admin/tenants/{tenantId}/keys': {
    send: (key, body) => asOperator(`POST /admin/tenants/${tenant.tenantId}/keys`, key, body),
    body: () => ({ name: newKey(), kind: 'secret' }),
    table: 'tenant_keys',
  },
  'POST /admin/tenants/{tenantId}/users': {
    send: (key, body) => asOperator(`POST /admin/tenants/${tenant.tenantId}/users`, key, body),
    body: () => ({ email: `${newKey()}@example.com`, password: 'correct horse' }),
    table: 'users',
  },
  'POST /otp': {
    send: (key, body) => asApp(key, body),
    body: () => ({ scope: 'otp_signin', email: `${newKey()}@example.com` }),
    table: 'otps',
  },
}

function asOperator(line: string, key: string, body: unknown): Promise<RawAnswer> {
  const headers = { authorization: `Bearer ${service.adminKey}`, 'idempotency-key': key }
  return request(service, line, { body, headers })
}

function asApp(key: string, body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return request(service, 'POST /otp', { key: tenant.key, body, headers: { 'idempotency-key': key, ...headers } })
}

const count = (table: string) => storedEverything(service)[table]!.length

for (const [line, { send, body: newBody, table }] of Object.entries(operations)) {
  describe(line, () => {
    test('acts once and answers every repeat the same for 24 hours, then acts again (IDEMPOTENCY-2)', async () => {
      const [key, body] = [newKey(), newBody()]
      const first = await send(key, body)
      assert.equal(first.status, 201, first.text)
      await changesNothing(service, async () => {
        for (const elapsed of [0, day - 1]) {
          service.clock.advance(elapsed)
          const again = await send(key, Object.fromEntries(Object.entries(body).reverse()))
          assert.deepEqual([again.status, again.body.data], [201, first.body.data])
          assert.notEqual(again.body.meta.requestId, first.body.meta.requestId)
        }
      })
      service.clock.advance(1)
      const later = await send(key, newBody())
      assert.equal(later.status, 201)
      assert.notEqual(later.body.data.id, first.body.data.id)
    })

    test('refuses another body under a used key, and leaves its answer (IDEMPOTENCY-3)', async () => {
      const [key, body] = [newKey(), newBody()]
      const first = await send(key, body)
      await changesNothing(service, async () => {
        const other = await send(key, newBody())
        assert.deepEqual([other.status, other.body.error.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
        assert.deepEqual((await send(key, body)).body.data, first.body.data)
      })
    })

    test('of sixteen racing repeats one acts, and all answer the same (IDEMPOTENCY-4)', async () => {
      const [key, body, before] = [newKey(), newBody(), count(table)]
      const answers = await Promise.all(Array.from({ length: 16 }, () => send(key, body)))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201], answers.at(-1)!.text)
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size, 1)
      assert.equal(count(table), before + 1)
    })

    test('keeps no refusal: the same key acts once the body is corrected (IDEMPOTENCY-5)', async () => {
      const key = newKey()
      const refused = await send(key, { ...newBody(), name: 1, email: 1 })
      assert.deepEqual([refused.status, refused.body.error.code], [400, 'VALIDATION_ERROR'])
      assert.equal((await send(key, newBody())).status, 201)
    })

    test('refuses a malformed key (IDEMPOTENCY-1)', async () => {
      const message = 'Expected one key of 1 to 255 visible ASCII characters, such as a UUID'
      await changesNothing(service, async () => {
        for (const key of ['', 'a b', 'é', 'x'.repeat(256)]) {
          const { status, body } = await send(key, newBody())
          assert.deepEqual([status, body.error.validation], [400, { 'Idempotency-Key': message }], key)
        }
      })
      assert.equal((await send(`!~${'x'.repeat(251)}${newKey().slice(-2)}`, newBody())).status, 201)
    })

    test('stores neither key, answer nor body in the clear (IDEMPOTENCY-6)', async () => {
      const [key, body] = [`secret-${newKey()}`, newBody()]
      const { data } = (await send(key, body)).body
      const rows = JSON.stringify(storedRows(service, 'SELECT id, sealed FROM idempotency_keys ORDER BY id'))
      for (const text of [key, data.id, data.key, ...Object.values(body)]) assert.ok(!rows.includes(String(text)), text)
    })
  })
}

test('a key of one operation, tenant or caller is unused at another (IDEMPOTENCY-7)', async () => {
  const [key, body] = [newKey(), { scope: 'otp_signin', email: 'scope@example.com' }]
  const other = await service.addTenant()
  const wire = { body, headers: { 'idempotency-key': key } }
  const ids = [
    await asApp(key, body),
    await asApp(key, body, { 'x-tenant-key': tenant.secretKey }),
    await request(service, 'POST /otp', { ...wire, key: other.key }),
    await asOperator(`POST /admin/tenants/${tenant.tenantId}/keys`, key, {}),
    await asOperator(`POST /admin/tenants/${other.tenantId}/keys`, key, {}),
    await asOperator('POST /admin/tenants', key, { name: 'Scope' }),
  ].map(({ status, text, body: answer }) => {
    assert.equal(status, 201, text)
    return answer.data.id
  })
  assert.equal(new Set(ids).size, ids.length)
})

test('recognizes a back end from any address, and an anonymous app by its address (IDEMPOTENCY-7)', async () => {
  const body = { scope: 'otp_signin', email: 'moving@example.com' }
  const idsFrom = async (tenantKey: string, addresses: readonly string[]) => {
    const key = newKey()
    const proxied = await startTestService({
      database: service.database,
      trustedProxies: '127.0.0.1',
      masterKeys: service.masterKeys,
    })
    try {
      const ids = new Set()
      for (const address of addresses) {
        const headers = { 'idempotency-key': key, 'x-forwarded-for': address }
        ids.add((await request(proxied, 'POST /otp', { key: tenantKey, body, headers })).body.data.id)
      }
      return ids.size
    } finally {
      await proxied.close()
    }
  }
  assert.equal(await idsFrom(tenant.secretKey, ['203.0.113.1', '198.51.100.1']), 1)
  assert.equal(await idsFrom(tenant.key, ['203.0.113.1', '198.51.100.1']), 2)
  assert.equal(await idsFrom(tenant.key, ['2001:db8::1', '2001:db8::2']), 1)
})

test('charges repeats to the rate limit, and not to the budget of codes (IDEMPOTENCY-8)', async () => {
  await using limited = await startTestService({ limitsText: 'otp-create=5/h,codes-per-recipient=1/h' })
  const { key } = await limited.addTenant()
  const headers = { 'idempotency-key': 'retry' }
  const send = () =>
    request(limited, 'POST /otp', { key, headers, body: { scope: 'otp_signin', email: 'ada@example.com' } })
  const statuses = []
  for (let turn = 0; turn < 6; turn++) statuses.push((await send()).status)
  assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429])
})

test('answers a key of a user whose code was verified the same, and sends nothing (IDEMPOTENCY-2)', async () => {
  const [key, body] = [newKey(), { scope: 'otp_signin', email: 'verified@example.com' } as const]
  const issued = await tenant.client.issueOtp(body, { idempotencyKey: key })
  await tenant.client.verifyOtp({ id: issued.id, scope: body.scope, code: await service.codeOf(issued.id) })
  await changesNothing(service, async () =>
    assert.deepEqual(await tenant.client.issueOtp(body, { idempotencyKey: key }), issued),
  )
})

test('deleting the user or the tenant erases its answers (IDEMPOTENCY-9)', async () => {
  const { admin, clock } = service
  const own = await service.addTenant()
  const options = { idempotencyKey: newKey() }
  const body = { email: 'erased@example.com' }
  const first = await admin.createUser(own, body, options)
  await admin.deleteUser({ ...own, userId: first.id })
  const next = await admin.createUser(own, body, options)
  assert.notEqual(next.id, first.id)

  const created = await admin.createTenant({ name: 'Erased' }, options)
  await admin.deleteTenant({ tenantId: created.id })
  assert.notEqual((await admin.createTenant({ name: 'Erased' }, options)).id, created.id)

  await admin.deleteTenant(own)
  await assert.rejects(admin.createUser(own, body, options), { code: 'TENANT_NOT_FOUND' })
  clock.advance(6 * 60_000)
  await service.service.services.housekeeping.run()
  const left = storedRows(service, 'SELECT id FROM idempotency_keys WHERE tenant_id = ?', own.tenantId)
  assert.deepEqual(left, [])
})

test('housekeeping removes answers after 24 hours (IDEMPOTENCY-2)', async () => {
  await service.admin.createTenant({ name: 'Old' }, { idempotencyKey: newKey() })
  const run = () => service.service.services.housekeeping.run()
  await run()
  assert.ok(count('idempotency_keys') > 0)
  service.clock.advance(day + 1)
  await run()
  assert.equal(count('idempotency_keys'), 0)
})

test('a request without a key runs no statement for it (IDEMPOTENCY-10)', async () => {
  const statements: string[] = []
  await using watched = await startTestService({ hooks: { onStatement: (name) => void statements.push(name) } })
  const { client } = await watched.addTenant()
  await client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' })
  assert.deepEqual(
    statements.filter((name) => name.startsWith('idempotency.')),
    [],
  )
  await client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' }, { idempotencyKey: 'once' })
  assert.deepEqual(
    statements.filter((name) => name.startsWith('idempotency.')),
    ['idempotency.find', 'idempotency.add'],
  )
})
