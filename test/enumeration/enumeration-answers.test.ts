import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EnumerationFixture, mailServers, openEnumerationFixture } from '../support/attacks/enumeration-fixture.ts'
import { changesNothing, writeStored } from '../support/databases/stored-rows.ts'
import { bytesOf, exchange, type WireAnswer } from '../support/http/wire.ts'
import { sampleOf } from '../support/runner/sample-size.ts'

const scope = 'reset_password'
const minute = 60_000

/** One of the two addresses and the ids of its one-time passwords, oldest first. */
interface Side {
  readonly email: string
  readonly client: string
  readonly ids: string[]
}
type Body = (side: Side) => object

/** The answer without ids and the Date header, which comes from the system clock; the service's clock is stopped. */
function normalised({ status, headers, text }: WireAnswer) {
  const { date: _date, 'x-request-id': _id, ...others } = headers
  return { status, names: Object.keys(headers), headers: others, text: text.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, 'ULID') }
}

/** Sends each request for a real and for a decoy address, and asserts that the answers are the same. */
function openComparison({ service, tenant, real, decoys }: EnumerationFixture) {
  const sides: Side[] = [
    { email: real[0]!, client: '198.51.100.1', ids: [] },
    { email: decoys[0]!, client: '203.0.113.1', ids: [] },
  ]
  async function ask(side: Side, line: string, body: object): Promise<WireAnswer> {
    const [method = '', path = ''] = line.split(' ')
    const headers = [
      ['content-type', 'application/json'],
      ['x-tenant-key', tenant.key],
      ['x-forwarded-for', side.client],
    ] as const
    const bytes = bytesOf({ method, path, headers, body: JSON.stringify(body) })
    const { answers } = await exchange(service.baseUrl, bytes, { method, until: 1 })
    return answers[0]!
  }
  /** @returns the common answer and its error code, if any */
  async function same(line: string, body: Body) {
    const [forReal, forDecoy] = [
      await ask(sides[0]!, line, body(sides[0]!)),
      await ask(sides[1]!, line, body(sides[1]!)),
    ]
    assert.deepEqual(normalised(forDecoy), normalised(forReal), `${line} at ${service.clock.now()}`)
    for (const [at, answer] of [forReal, forDecoy].entries()) {
      const id = /"data":\{"id":"(\w{26})"/.exec(answer.text)?.[1]
      if (id !== undefined && answer.status === 201) sides[at]!.ids.push(id)
    }
    const { status, text } = forReal
    return { status, text, code: /"code":"(\w+)"/.exec(text)?.[1] ?? '' }
  }
  const latest = ({ ids }: Side) => ids.at(-1)
  return {
    sides,
    same,
    challenge: () => same('POST /auth/reset-password', ({ email }) => ({ step: 'challenge', email })),
    resend: () => same('POST /otp/resend', (side) => ({ id: latest(side), scope })),
    status: () => same('POST /otp/status', (side) => ({ id: latest(side), scope })),
    verify: (codeOf: (id: string) => string) =>
      same('POST /otp/verify', (side) => ({ id: latest(side), scope, code: codeOf(latest(side)!) })),
    confirm: () =>
      same('POST /auth/reset-password', (side) => ({
        step: 'confirm',
        token: latest(side),
        password: 'battery staple',
      })),
  }
}

/** Waits until every due delivery attempt has finished. */
const drain = ({ service }: EnumerationFixture) => service.service.services.delivery.drain()

for (const mail of sampleOf(mailServers)) {
  const fixture = (t: { after(done: () => unknown): void }, options = {}) =>
    openEnumerationFixture(mail, options).then((opened) => {
      t.after(() => opened[Symbol.asyncDispose]())
      return opened
    })

  test(`answers a password reset alike for real and decoy addresses with a ${mail} mail server`, async (t) => {
    const at = await fixture(t)
    const { clock } = at.service
    const { challenge, resend, status, verify, confirm } = openComparison(at)
    const wrong = (id: string) => (at.codeOf(id, scope) === '000000' ? '000001' : '000000')
    const delivery = async () => /"delivery":"(\w+)"/.exec((await status()).text)?.[1]
    /** Advances the clock step by step and runs the due deliveries at each step. */
    const watch = async (elapsed: readonly number[]) => {
      const seen = []
      for (const [step, ms] of elapsed.entries()) {
        clock.advance(ms - (elapsed[step - 1] ?? 0))
        seen.push(await delivery())
        await drain(at)
        seen.push(await delivery())
      }
      return seen
    }
    const sixTimes = ['queued', 'queued', 'queued', 'queued', 'sent', 'sent']

    assert.equal((await challenge()).status, 201)
    assert.deepEqual(await watch([0, 4_999, 5_000]), sixTimes)
    assert.equal((await resend()).code, 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
    assert.equal((await confirm()).code, 'OTP_NOT_CONSUMABLE')
    for (let count = 0; count < 3; count++) {
      clock.advance(minute)
      assert.equal((await resend()).status, 201)
      assert.deepEqual(await watch([0, 4_999, 5_000]), sixTimes)
    }
    clock.advance(minute)
    assert.equal((await resend()).code, 'OTP_MAX_RESENDS_REACHED')
    for (let guess = 0; guess < 5; guess++) {
      assert.equal((await verify(wrong)).code, 'OTP_INVALID_CODE')
      await status()
    }
    for (const refusal of [await verify(() => '000000'), await resend(), await confirm()])
      assert.match(refusal.code, /OTP_(MAX_ATTEMPTS_REACHED|NOT_PENDING|NOT_CONSUMABLE)/)
    assert.match((await status()).text, /"state":"locked"/)
    clock.advance(10 * minute)
    for (const refusal of [await verify(() => '000000'), await resend(), await confirm()])
      assert.equal(refusal.code, 'OTP_NOT_FOUND')
    assert.match((await status()).text, /"state":"expired".*"delivery":"sent"/)
  })

  test(`answers a guessed code and an expired one-time password alike with a ${mail} mail server`, async (t) => {
    const at = await fixture(t)
    const { challenge, status, verify, confirm } = openComparison(at)
    await challenge()
    assert.equal((await verify((id) => at.codeOf(id, scope))).status, 201)
    assert.match((await status()).text, /"state":"verified"/)
    assert.equal((await confirm()).status, 201)
    assert.match((await status()).text, /"state":"consumed"/)
    assert.equal((await confirm()).code, 'OTP_ALREADY_CONSUMED')
    assert.equal((await verify(() => '000000')).code, 'OTP_ALREADY_CONSUMED')
    await challenge()
    await drain(at)
    at.service.clock.advance(10 * minute - 1)
    assert.match((await status()).text, /"state":"pending"/)
    at.service.clock.advance(1)
    assert.match((await status()).text, /"state":"expired"/)
  })

  test(`answers sign-in and sign-up alike with a ${mail} mail server`, async (t) => {
    const at = await fixture(t)
    const { same, sides } = openComparison(at)
    const signIn = { method: 'password', password: 'wrong horse' }
    assert.equal((await same('POST /otp', ({ email }) => ({ scope: 'otp_signin', email }))).status, 201)
    const ofLatest: Body = ({ ids }) => ({ id: ids.at(-1), scope: 'otp_signin' })
    for (const ms of [0, 4_999, 1]) {
      at.service.clock.advance(ms)
      await same('POST /otp/status', ofLatest)
      await drain(at)
      await same('POST /otp/status', ofLatest)
    }
    await same('POST /otp/verify', (side) => ({ ...ofLatest(side), code: 'wrong' }))
    const otpSignIn: Body = ({ ids }) => ({ method: 'otp', token: ids.at(-1) })
    assert.equal((await same('POST /auth/sign-in', otpSignIn)).code, 'OTP_NOT_CONSUMABLE')
    const signUp: Body = ({ email, ids }) => ({
      method: 'password',
      email,
      password: 'battery staple',
      token: ids.at(-1),
    })
    assert.equal((await same('POST /auth/sign-up', signUp)).code, 'OTP_NOT_CONSUMABLE')
    await changesNothing(at.service, async () => {
      assert.equal(
        (await same('POST /auth/sign-in', ({ email }) => ({ ...signIn, email }))).code,
        'INVALID_CREDENTIALS',
      )
      const tokenless: Body = (side) => ({ ...signUp(side), token: undefined })
      assert.equal((await same('POST /auth/sign-up', tokenless)).code, 'VALIDATION_ERROR')
    })
    assert.deepEqual(
      sides.map(({ ids }) => ids.length),
      [1, 1],
    )
  })
}

test('applies rate limits alike to real and decoy addresses', async (t) => {
  const at = await openEnumerationFixture('fast', { limitsText: '', trustedProxies: '127.0.0.1' })
  t.after(() => at[Symbol.asyncDispose]())
  const { challenge, same, verify } = openComparison(at)
  const codes = async (count: number, act: () => Promise<{ code: string }>) => {
    const seen = []
    for (let each = 0; each < count; each++) seen.push((await act()).code)
    return seen.at(-1)
  }
  assert.equal(await codes(11, challenge), 'TOO_MANY_REQUESTS')
  assert.equal(await codes(61, () => verify(() => 'wrong')), 'TOO_MANY_REQUESTS')
  const signIn: Body = ({ email }) => ({ method: 'password', email, password: 'wrong horse' })
  assert.equal(await codes(60, () => same('POST /auth/sign-in', signIn)), 'TOO_MANY_REQUESTS')
  assert.equal(
    await codes(31, () => same('POST /otp', ({ email }) => ({ scope: 'otp_signin', email }))),
    'TOO_MANY_REQUESTS',
  )
})

test('detects a delivery state that differs between real and decoy addresses', async () => {
  await using at = await openEnumerationFixture('fast')
  const { challenge, sides, status } = openComparison(at)
  await challenge()
  await drain(at)
  at.service.clock.advance(5_000)
  await writeStored(at.service, "UPDATE outbox SET state = 'failed' WHERE otp_id = ?", sides[0]!.ids[0]!)
  await status()
  const unprotected = { security: { enumerationProtection: false } }
  await at.service.admin.updateConfiguration({ tenantId: at.tenant.tenantId }, unprotected)
  await assert.rejects(status(), { code: 'ERR_ASSERTION' })
})
