import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { storedRows } from '../../support/databases/stored-rows.ts'
import { addPerson, type Person } from '../../support/person.ts'
import type { TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'
import type { Shot } from './barrier.ts'
import type { RaceFixture } from './race-fixture.ts'

const newPassword = 'the password after'

const kinds = {
  email: {
    scope: 'email_verification',
    path: '/account/email',
    address: (random: Random) => `moved-${random.below(1e9)}-${random.below(1e9)}@example.com`,
  },
  phone: {
    scope: 'phone_verification',
    path: '/account/phone',
    address: (random: Random) => `+336${String(10_000_000 + random.below(89_999_999))}`,
  },
} as const
type Kind = keyof typeof kinds

/** A pending change of address: its id and code. */
async function beginChange(
  { service }: RaceFixture,
  { client }: TestTenant,
  accessToken: string,
  kind: Kind,
  random: Random,
) {
  const to = kinds[kind].address(random)
  const asAttacker = client.withSession(accessToken)
  const { id } = await (kind === 'email'
    ? asAttacker.changeEmail({ email: to })
    : asAttacker.changePhone({ phone: to }))
  return { id, to, code: await service.codeOf(id) }
}

const verify = ({ key }: TestTenant, kind: Kind, { id, code }: { id: string; code: string }): Shot => ({
  line: 'POST /otp/verify',
  key,
  body: { id, scope: kinds[kind].scope, code },
})

const rowOf = ({ service }: RaceFixture, { userId }: Person) =>
  storedRows(service, 'SELECT * FROM users WHERE id = ?', userId)[0]!

/** The recovery that the notice to the owner of an address offers; null when it offers none. */
async function undoOf({ service }: RaceFixture, recipient: string) {
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ recipient })
  const notice = messages.findLast(({ scope, code }) => scope === null && code !== null)
  return notice ? { id: notice.otpId!, code: notice.code! } : null
}

/** D33: a recovery during the verification of the attacker's address: it moved before, with its notice, or never. */
export async function recoveryAgainstVerification(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const person = await addPerson(service, tenant)
  await person.prove()
  const kind = random.pick(['email', 'phone'] as const)
  const [stolen, own] = [await person.signIn(), await person.signIn()]
  const move = await beginChange(fixture, tenant, stolen.accessToken, kind, random)
  const token = await person.verified('reset_password')
  const { key } = tenant
  const recovery = random.pick<Shot>([
    { line: 'POST /auth/reset-password', key, body: { step: 'confirm', token, password: newPassword } },
    { line: 'POST /auth/sign-out', key, token: own.accessToken, body: { scope: 'all' } },
    {
      line: 'POST /account/password',
      key,
      token: stolen.accessToken,
      body: { currentPassword: person.password, password: newPassword },
    },
  ])
  // Sometimes the recovery is done before the attacker verifies: then the address must not move.
  const isOver = random.next() < 0.3
  const [early] = isOver ? await fixture.fire([recovery], random) : []
  const [verified, beside] = await fixture.fire([verify(tenant, kind, move), ...(isOver ? [] : [recovery])], random)
  const recovered = early ?? beside
  // Moving the e-mail address cancels the pending reset.
  if (recovered!.outcome !== '201') assert.equal(recovered!.outcome, 'OTP_NOT_CONSUMABLE')
  const moved = rowOf(fixture, person)[kind] === move.to
  assert.equal(verified!.outcome, moved ? '201' : 'OTP_NOT_PENDING')
  if (isOver) assert.equal(moved, false)
  const undo = await undoOf(fixture, person[kind])
  assert.equal(undo !== null, moved)
  const [late] = await fixture.fire([verify(tenant, kind, move)], random)
  assert.equal(late!.outcome, moved ? 'OTP_ALREADY_CONSUMED' : 'OTP_NOT_PENDING')
  if (undo === null) return
  await tenant.client.recoverAccount(undo)
  assert.equal(rowOf(fixture, person)[kind], person[kind])
}

/** D34: the undo of a change during a second change and a second undo: the owner gets the address back and keeps it. */
export async function undoAgainstSecondChange(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const person = await addPerson(service, tenant)
  await person.prove()
  const kind = random.pick(['email', 'phone'] as const)
  const { accessToken } = await person.signIn()
  const first = await beginChange(fixture, tenant, accessToken, kind, random)
  await fixture.fire([verify(tenant, kind, first)], random)
  const undo = await undoOf(fixture, person[kind])
  assert.ok(undo)
  const second = await beginChange(fixture, tenant, accessToken, kind, random)
  const { key } = tenant
  const recover = (body: object): Shot => ({ line: 'POST /account/recover', key, body })
  const change = fixture.fire([verify(tenant, kind, second)], random)
  // Without a head start the change, which reads more, would always come second.
  await pause(random.below(8))
  const answers = await fixture.fire([recover(undo), recover(undo)], random)
  await change
  const undone = answers.filter(({ outcome }) => outcome === '201')
  assert.equal(undone.length, 1)
  assert.equal(rowOf(fixture, person)[kind], person[kind])
  // The recovery code that the second change sent to the attacker is no longer valid.
  const attackers = await undoOf(fixture, first.to)
  if (attackers !== null) {
    const [again] = await fixture.fire([recover(attackers)], random)
    assert.equal(again!.outcome, 'OTP_NOT_PENDING')
  }
  assert.equal(rowOf(fixture, person)[kind], person[kind])
}

/** D35: a step-up during a sign-out: no token that it issues outlives the session. */
export async function stepUpAgainstSignOut(fixture: RaceFixture, random: Random): Promise<void> {
  const { service } = fixture
  const tenant = await fixture.tenantWith()
  const person = await addPerson(service, tenant)
  const { accessToken: token } = await person.signIn()
  const { key } = tenant
  const stepUp: Shot = {
    line: 'POST /auth/step-up',
    key,
    token,
    body: { method: 'password', password: person.password },
  }
  const signOut: Shot = { line: 'POST /auth/sign-out', key, token, body: { scope: random.pick(['this', 'all']) } }
  const [stepped, signedOut] = await fixture.fire([stepUp, signOut], random)
  assert.equal(signedOut!.outcome, '201')
  if (stepped!.outcome !== '201') {
    assert.equal(stepped!.outcome, 'INVALID_USER_TOKEN')
    return
  }
  const fresh = stepped!.body.data.accessToken
  const [used] = await fixture.fire([{ line: 'GET /account/export', key, token: fresh }], random)
  assert.equal(used!.outcome, 'INVALID_USER_TOKEN')
}
