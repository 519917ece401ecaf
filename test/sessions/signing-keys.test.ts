import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { signedByUs } from '../support/attacks/forged-tokens.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** How long a replaced key stays trusted: until its last tokens have expired, even for a clock that is a minute slow. */
const TRUST = 16 * MINUTE

const round = ({ service }: TestService) => service.services.housekeeping.run()
const published = async ({ baseUrl }: TestService) =>
  (await createTenantryClient({ baseUrl }).getJwks()).keys.map(({ kid }) => kid)
const states = async ({ admin }: TestService) => (await admin.listSigningKeys()).keys.map(({ state }) => state)
const stored = (service: TestService) =>
  storedRows(service, 'SELECT kid FROM signing_keys ORDER BY ordinal').map(({ kid }) => kid)
const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ''

/** Whether this process accepts the token. */
async function accepts({ baseUrl }: TestService, { key }: TestTenant, token: string): Promise<boolean> {
  const client = createTenantryClient({ baseUrl, tenantKey: key, accessToken: token })
  if ((await client.getProfile().catch(({ code }) => code)) !== 'INVALID_USER_TOKEN') return true
  await refused(client.getProfile(), 'INVALID_USER_TOKEN')
  return false
}

/** Another process on the same database, with the same secrets and the same clock. */
async function startBeside(first: TestService, statements: string[] = []): Promise<TestService> {
  const hooks = { onStatement: (name: string) => void statements.push(name) }
  return startTestService({ database: first.database, hooks, masterKeys: first.masterKeys, clock: first.clock })
}

async function signIn(person: Person): Promise<string> {
  return (await person.signIn()).accessToken
}

async function addTenantAndPerson(service: TestService): Promise<{ tenant: TestTenant; person: Person }> {
  const tenant = await service.addTenant()
  return { tenant, person: await addPerson(service, tenant) }
}

test('rotates keys: publishes a key an hour before it signs, trusts it until its tokens have expired, then removes it', async () => {
  await using service = await startTestService()
  const { clock } = service
  const { tenant, person } = await addTenantAndPerson(service)
  const [a = ''] = await published(service)
  const takesOver = clock.now() + 90 * DAY

  clock.set(takesOver - 60 * MINUTE - 1)
  await round(service)
  assert.deepEqual(await published(service), [a])
  clock.advance(1)
  await round(service)
  await round(service)
  const [, b = '', ...more] = await published(service)
  assert.deepEqual(more, [])
  assert.deepEqual(await published(service), [a, b])
  assert.deepEqual(await states(service), ['current', 'next'])

  clock.set(takesOver - 1)
  const last = await signIn(person)
  assert.equal(kidOf(last), a)
  const { sub, sid } = decodeJwt(last)
  const who = { tenantId: tenant.tenantId, userId: String(sub), sessionId: String(sid) }
  const tooLong = await signedByUs(service, who, { exp: takesOver / 1000 + 7200 })
  assert.ok(await accepts(service, tenant, tooLong))

  clock.set(takesOver)
  assert.equal(kidOf(await signIn(person)), b)
  assert.deepEqual(await states(service), ['previous', 'current'])
  assert.ok(await accepts(service, tenant, last))
  clock.set(takesOver + 899_000 - 1)
  await round(service)
  assert.ok(await accepts(service, tenant, last))
  clock.advance(1)
  assert.ok(!(await accepts(service, tenant, last)), 'the token has expired')

  clock.set(takesOver + TRUST - 1)
  await round(service)
  assert.ok(await accepts(service, tenant, tooLong))
  assert.deepEqual(
    [await published(service), stored(service)],
    [
      [a, b],
      [a, b],
    ],
  )
  clock.advance(1)
  assert.ok(!(await accepts(service, tenant, tooLong)), 'a cached token whose key is no longer trusted')
  assert.deepEqual([await published(service), stored(service)], [[b], [a, b]])
  await round(service)
  assert.deepEqual(stored(service), [b])
  assert.deepEqual(await states(service), ['current'])
})

test('applies the setting for the rotation interval', async () => {
  await using service = await startTestService({ signingKeyDays: 1 })
  service.clock.advance(DAY - 60 * MINUTE)
  await round(service)
  assert.deepEqual(await states(service), ['current', 'next'])
})

test('rotates once for two processes on one database, and each accepts the other’s tokens', async () => {
  await using first = await startTestService()
  const statements: string[] = []
  await using second = await startBeside(first, statements)
  const { clock } = first
  const { tenant, person } = await addTenantAndPerson(first)
  const signedBy = async ({ service }: TestService, token: string) => {
    const { sub, sid } = decodeJwt(token)
    return service.services.accessTokens.sign(
      {
        ...{ tenantId: tenant.tenantId, userId: String(sub), sessionId: String(sid) },
        ...{ amr: ['pwd'], authenticatedAt: clock.now(), guest: false },
      },
      clock.now(),
    )
  }
  assert.deepEqual(await published(second), await published(first))

  clock.advance(90 * DAY)
  await Promise.all([round(first), round(second)])
  const [a, b, ...more] = stored(first)
  assert.deepEqual(more, [])
  for (const process of [first, second]) assert.deepEqual(await published(process), [a, b])
  clock.advance(60 * MINUTE)
  const token = await signIn(person)
  for (const [signer, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const signed = await signedBy(signer, token)
    assert.equal(kidOf(signed), b)
    assert.ok(await accepts(other, tenant, signed))
  }

  await first.admin.rotateSigningKeys()
  clock.advance(10 * MINUTE)
  const unheardOf = await signIn(person)
  assert.equal(kidOf(unheardOf), stored(first).at(-1))
  assert.ok(await accepts(second, tenant, unheardOf), 'an unknown key is looked up')

  const { sub, sid } = decodeJwt(unheardOf)
  const who = { tenantId: tenant.tenantId, userId: String(sub), sessionId: String(sid) }
  const forged = await signedByUs(second, who, {}, { kid: 'unknown' })
  const lookUps = () => statements.filter((name) => name === 'signingKey.list').length
  clock.advance(1000)
  const before = lookUps()
  for (let time = 0; time < 5; time++) assert.ok(!(await accepts(second, tenant, forged)))
  assert.equal(lookUps(), before + 1, 'at most once a second')
  clock.advance(1000)
  assert.ok(!(await accepts(second, tenant, forged)))
  assert.equal(lookUps(), before + 2)
})

test('rejects withdrawn keys at once here and after one round elsewhere, and keeps refresh tokens valid', async () => {
  await using first = await startTestService()
  await using second = await startBeside(first)
  const { tenant, person } = await addTenantAndPerson(first)
  await first.admin.rotateSigningKeys()
  await round(second)
  const { accessToken: leaked, refreshToken } = await person.signIn()
  for (const process of [first, second]) assert.ok(await accepts(process, tenant, leaked))

  const { keys } = await first.admin.rotateSigningKeys({ withdraw: true })
  const fresh = keys.map(({ kid }) => kid)
  assert.equal(fresh.length, 1)
  assert.ok(!(await accepts(first, tenant, leaked)))
  assert.deepEqual(await published(first), fresh)
  assert.equal((await published(second)).length, 2)
  assert.ok(await accepts(second, tenant, leaked), 'the other process has not reloaded its keys')
  await round(second)
  assert.ok(!(await accepts(second, tenant, leaked)))
  assert.deepEqual(await published(second), fresh)

  const { accessToken: renewed } = await tenant.client.refreshSession({ refreshToken })
  assert.deepEqual([kidOf(renewed)], fresh)
  for (const process of [first, second]) assert.ok(await accepts(process, tenant, renewed))

  first.clock.advance(TRUST)
  await round(first)
  assert.deepEqual(stored(first), fresh)
})
