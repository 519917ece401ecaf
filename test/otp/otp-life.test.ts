import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { TenantryError } from '../../packages/client/src/index.ts'
import { storedMessages, storedOtp } from '../support/databases/stored-rows.ts'
import * as model from '../support/otp-model.ts'
import { addPerson, type Person } from '../support/person.ts'
import { sampleSize } from '../support/runner/sample-size.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const histories = sampleSize(300, 40)
const seed = 20260116
const scope = 'reset_password'

const policies: readonly model.ModelPolicy[] = [
  { ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 },
  { ttlSeconds: 90, resendIntervalSeconds: 30, maxResends: 2, maxVerifyAttempts: 2 },
  { ttlSeconds: 600, resendIntervalSeconds: 0, maxResends: 1, maxVerifyAttempts: 1 },
  { ttlSeconds: 1, resendIntervalSeconds: 1, maxResends: 0, maxVerifyAttempts: 10 },
]

let service: TestService
let tenants: TestTenant[]

before(async () => {
  service = await startTestService()
  tenants = await Promise.all(policies.map((otp) => service.addTenant({ configuration: { otp: { ...otp } } })))
})
after(() => service.close())

/** The real one-time password beside the model. */
interface RealOtp {
  readonly tenant: TestTenant
  readonly person: Person
  readonly id: string
  readonly code: string
}

const outcomeOf = (call: Promise<unknown>): Promise<model.Outcome> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof TenantryError) return error.code
      throw error
    },
  )

/** One step of a history. The model and the service both take it and must agree on answer and state. */
class Step implements fc.AsyncCommand<model.OtpModel, RealOtp> {
  readonly name: string
  readonly expected: (otp: model.OtpModel) => model.Outcome
  readonly act: (real: RealOtp) => Promise<unknown>

  constructor(name: string, expected: Step['expected'], act: Step['act']) {
    this.name = name
    this.expected = expected
    this.act = act
  }

  check(): boolean {
    return true
  }

  async run(otp: model.OtpModel, real: RealOtp): Promise<void> {
    const expected = this.expected(otp)
    assert.equal(await outcomeOf(this.act(real)), expected, `${this.name} at ${otp.now - otp.issuedAt} ms`)
    const { state, resendsRemaining, attemptsRemaining, nextResendAt } = await real.tenant.client.getOtpStatus({
      id: real.id,
      scope,
    })
    assert.deepEqual({ state, resendsRemaining, attemptsRemaining, nextResendAt }, model.statusOf(otp), this.name)
  }

  toString(): string {
    return this.name
  }
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

const steps = [
  fc.constant(new Step('resend', model.resend, ({ tenant, id }) => tenant.client.resendOtp({ id, scope }))),
  fc.constant(
    new Step(
      'right code',
      (otp) => model.verify(otp, true),
      ({ tenant, id, code }) => tenant.client.verifyOtp({ id, scope, code }),
    ),
  ),
  fc.constant(
    new Step(
      'wrong code',
      (otp) => model.verify(otp, false),
      ({ tenant, id, code }) => tenant.client.verifyOtp({ id, scope, code: wrong(code) }),
    ),
  ),
  fc.constant(
    new Step('confirm', model.confirm, ({ tenant, id }) =>
      tenant.client.resetPassword({ step: 'confirm', token: id, password: 'the password after' }),
    ),
  ),
  fc.constant(
    new Step('delete user', model.deleteUser, ({ tenant, person }) =>
      service.admin.deleteUser({ ...tenant, userId: person.userId }),
    ),
  ),
  // Times around each limit are far more frequent than by chance.
  fc.constantFrom(1, 999, 1000, 29_999, 30_000, 59_999, 60_000, 89_999, 90_000, 599_999, 600_000).map(
    (ms) =>
      new Step(
        `${ms} ms pass`,
        (otp) => {
          otp.now += ms
          return 'done'
        },
        async () => service.clock.advance(ms),
      ),
  ),
]

async function issueReal(place: number): Promise<RealOtp> {
  const tenant = tenants[place]!
  const person = await addPerson(service, tenant, 'the password before')
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email: person.email })
  return { tenant, person, id, code: await service.codeOf(id) }
}

/** Checks the end: rows, messages, and the password that signs in. */
async function assertEnd(otp: model.OtpModel, { person, id, code }: RealOtp): Promise<void> {
  await service.service.services.delivery.drain()
  const row = storedOtp(service, id)
  assert.deepEqual(
    [row['state'], row['wrong_codes'], row['resend_count'], row['last_sent_at'], row['sealed_code'] === null],
    [otp.stored, otp.wrongCodes, otp.sends - 1, otp.lastSentAt, otp.stored !== 'pending'],
  )
  assert.equal(storedMessages(service, id).length, otp.sends)
  const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
  for (const message of messages) assert.equal(message.code, code)
  const signsIn = async (password: string) => (await outcomeOf(person.signIn(password))) === 'done'
  const passwords = [await signsIn('the password before'), await signsIn('the password after')]
  assert.deepEqual(passwords, [!otp.userDeleted && !otp.passwordChanged, !otp.userDeleted && otp.passwordChanged])
}

test('agrees with the model of a one-time password over random histories', async (t) => {
  const reached = new Set<string>()
  const life = fc.asyncProperty(
    fc.nat(policies.length - 1),
    fc.commands(steps, { maxCommands: 24, size: 'max' }),
    async (place, commands) => {
      const real = await issueReal(place)
      const otp = model.issued(policies[place]!, service.clock.now())
      await fc.asyncModelRun(() => ({ model: otp, real }), commands)
      await assertEnd(otp, real)
      reached.add(model.stateIn(otp))
    },
  )
  await fc.assert(life, { numRuns: histories, seed })
  assert.deepEqual([...reached].sort(), ['cancelled', 'consumed', 'expired', 'locked', 'pending', 'verified'])
  t.diagnostic(`${histories} histories of seed ${seed}`)
})
