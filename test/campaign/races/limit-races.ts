import assert from 'node:assert/strict'
import { storedRow } from '../../support/databases/stored-rows.ts'
import { addPerson } from '../../support/person.ts'
import type { Random } from '../seeded-random.ts'
import { type Shot, tally } from './barrier.ts'
import { type RaceFixture, times } from './race-fixture.ts'

const hourMs = 3_600_000

/** A challenge for an unknown user from a separate address: its only effect is to count. */
async function countedRequest({ tenantWith }: RaceFixture, random: Random): Promise<Shot> {
  const { secretKey } = await tenantWith()
  const address = `2001:db8:${random.below(65536).toString(16)}:${random.below(65536).toString(16)}::1`
  return {
    line: 'POST /auth/reset-password',
    key: secretKey,
    headers: { 'x-client-ip': address },
    body: { step: 'challenge', email: 'unknown@example.com' },
  }
}

/** D15: 100 requests at a limit of 10: ten pass, each with a different number of remaining requests. */
export async function requestsAtTheLimit(fixture: RaceFixture, random: Random): Promise<void> {
  const shot = await countedRequest(fixture, random)
  const answers = await fixture.fire(
    times(100, () => shot),
    random,
  )
  assert.deepEqual(tally(answers), { RESET_PASSWORD_USER_NOT_FOUND: 10, TOO_MANY_REQUESTS: 90 })
  const admitted = answers.filter(({ status }) => status !== 429)
  const left = admitted.map(({ headers }) => Number(/;r=(\d+)/.exec(String(headers['ratelimit']))?.[1]))
  assert.deepEqual(
    left.sort((a, b) => a - b),
    times(10, (index) => index),
  )
  for (const { status, headers } of answers) assert.equal(headers['retry-after'], status === 429 ? '3600' : undefined)
  fixture.service.clock.advance(hourMs - 1)
  assert.deepEqual(tally(await fixture.fire([shot], random)), { TOO_MANY_REQUESTS: 1 })
  fixture.service.clock.advance(1)
  assert.deepEqual(
    tally(
      await fixture.fire(
        times(11, () => shot),
        random,
      ),
    ),
    {
      RESET_PASSWORD_USER_NOT_FOUND: 10,
      TOO_MANY_REQUESTS: 1,
    },
  )
}

/** D16: bursts at any time, mostly around the window's edge: exactly ten pass in any 3,600 s. */
export async function burstsAtTheWindowEdge(fixture: RaceFixture, random: Random): Promise<void> {
  const { clock } = fixture.service
  const shot = await countedRequest(fixture, random)
  const admittedAt: number[] = []
  for (let burst = 0; burst < 8; burst++) {
    const edge = (admittedAt[random.below(admittedAt.length)] ?? clock.now()) + hourMs - 1 + random.below(3)
    clock.set(Math.max(clock.now(), random.next() < 0.6 ? edge : clock.now() + random.below(hourMs)))
    const now = clock.now()
    const size = 1 + random.below(14)
    const counted = admittedAt.filter((time) => time > now - hourMs).length
    const expected = Math.min(size, 10 - counted)
    const answers = await fixture.fire(
      times(size, () => shot),
      random,
    )
    assert.equal(answers.filter(({ status }) => status !== 429).length, expected)
    admittedAt.push(...times(expected, () => now))
  }
}

/**
 * I12: challenges for one recipient from unknown networks and from a known one: at most ten from each network, 30 in
 * total from unknown networks, never fewer than these limits allow, and always ten from the known network.
 */
export async function codesAtTheBudget(fixture: RaceFixture, random: Random): Promise<void> {
  const tenant = await fixture.tenantWith()
  const { email, password } = await addPerson(fixture.service, tenant)
  const strangers = times(1 + random.below(5), () => newNetwork(random))
  const home = newNetwork(random)
  const asking = (network: string, index: number): Shot => ({
    line: 'POST /auth/reset-password',
    key: tenant.secretKey,
    headers: { 'x-client-ip': `${network}:${index}::1` },
    body: { step: 'challenge', email },
  })
  const signIn = { ...asking(home, 0), line: 'POST /auth/sign-in', body: { method: 'password', email, password } }
  assert.deepEqual(tally(await fixture.fire([signIn], random)), { 201: 1 })

  const shots = [
    ...times(80, (index) => asking(strangers[index % strangers.length]!, index)),
    ...times(20, (index) => asking(home, index)),
  ]
  const answers = await fixture.fire(shots, random)
  const sent = (from: number, to: number) => answers.slice(from, to).filter(({ status }) => status === 201).length
  const bySlot = strangers.map((_, slot) =>
    answers.slice(0, 80).filter(({ status }, index) => status === 201 && index % strangers.length === slot),
  )
  for (const admitted of bySlot) assert.ok(admitted.length <= 10)
  assert.equal(sent(80, 100), 10)
  const most = Math.min(30, 10 * strangers.length)
  // What the known network takes from the shared budget is not available to unknown networks.
  assert.ok(sent(0, 80) <= most && sent(0, 80) >= Math.min(20, most), `${sent(0, 80)} of ${most}`)
  for (const { status, headers } of answers) {
    if (status !== 201) assert.deepEqual([status, headers['retry-after']], [429, '3600'])
  }

  fixture.service.clock.advance(hourMs - 1)
  assert.deepEqual(tally(await fixture.fire([shots[80]!], random)), { TOO_MANY_REQUESTS: 1 })
  fixture.service.clock.advance(1)
  assert.deepEqual(tally(await fixture.fire([shots[0]!, shots[80]!], random)), { 201: 2 })
}

/** A separate IPv6 network. */
const newNetwork = (random: Random): string =>
  `2001:${random.below(65536).toString(16)}:${random.below(65536).toString(16)}`

/** D17: a key is revoked among 100 requests: every request that starts after the answer to the revocation is refused. */
export async function revocationAgainstRequests(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const { tenantId } = await fixture.tenantWith()
  const { id, key } = await service.admin.createTenantKey({ tenantId }, { name: 'to be revoked' })
  const read: Shot = { line: 'GET /tenant-configuration', key }
  assert.deepEqual(tally(await fixture.fire([read], random)), { 200: 1 })
  const revoke: Shot = { line: `DELETE /admin/tenants/${tenantId}/keys/${id}`, adminKey: service.adminKey }
  const during = fixture.fire(
    times(50, () => read),
    random,
  )
  const [revoked] = await fixture.fire([revoke], random)
  const after = await fixture.fire(
    times(50, () => read),
    random,
  )
  const meanwhile = await during
  assert.equal(revoked!.outcome, '204')
  assert.deepEqual(tally(after), { INVALID_TENANT_KEY: 50 })
  for (const { outcome } of meanwhile) assert.ok(['200', 'INVALID_TENANT_KEY'].includes(outcome), outcome)
  const { revoked_at } = storedRow(service, 'SELECT revoked_at FROM tenant_keys WHERE id = ?', id)
  assert.equal(revoked_at, service.clock.now())
}
