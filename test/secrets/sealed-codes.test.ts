import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storedMessages, storedOtp, storedRow, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson, type Person } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let a: TestTenant
let b: TestTenant
let ofA: Person
let ofB: Person

before(async () => {
  service = await startTestService()
  a = await service.addTenant()
  b = await service.addTenant()
  ofA = await addPerson(service, a)
  ofB = await addPerson(service, b)
})
after(() => service.close())

const sealedCodeOf = (id: string) => storedOtp(service, id)['sealed_code']
const messagesFor = async (otpId: string) => (await service.admin.listTestingChannelMessages({ otpId })).messages

type Issued = { readonly id: string; readonly code: string }

async function issue(person: Person, scope: 'reset_password' | 'otp_signin'): Promise<Issued> {
  const { id } = await person.issue(scope)
  return { id, code: await service.codeOf(id) }
}

/** The source and the target of a copied code. The attacker knows the code. */
const swaps: { name: string; make: () => Promise<{ from: Issued; into: Issued; tenant: TestTenant }> }[] = [
  {
    name: "another tenant's row",
    make: async () => ({
      from: await issue(ofA, 'reset_password'),
      into: await issue(ofB, 'reset_password'),
      tenant: b,
    }),
  },
  {
    name: 'the row of another id',
    make: async () => ({
      from: await issue(ofA, 'reset_password'),
      into: await issue(ofA, 'reset_password'),
      tenant: a,
    }),
  },
  {
    name: 'a row of another scope',
    make: async () => ({ from: await issue(ofA, 'otp_signin'), into: await issue(ofA, 'reset_password'), tenant: a }),
  },
]

for (const { name, make } of swaps) {
  test(`rejects a sealed code copied into ${name}: no code verifies, no message is sent, and only the log has the reason`, async () => {
    const { from, into, tenant } = await make()
    await writeStored(service, 'UPDATE otps SET sealed_code = ? WHERE id = ?', sealedCodeOf(from.id)!, into.id)
    const before = storedOtp(service, into.id)
    for (const code of [from.code, into.code]) {
      const body = { id: into.id, scope: 'reset_password', code }
      const answer = await request(service, 'POST /otp/verify', { key: tenant.key, body })
      assert.equal(answer.body.error.code, 'INTERNAL_SERVER')
      assert.deepEqual(Object.keys(answer.body.error).sort(), ['code', 'message', 'status'])
    }
    assert.deepEqual(storedOtp(service, into.id), before)
    assert.ok(service.log.some((line) => line.includes('SealBroken')))

    const sent = await messagesFor(into.id)
    service.clock.advance(60_000)
    await tenant.client.resendOtp({ id: into.id, scope: 'reset_password' })
    await service.service.services.delivery.drain()
    assert.deepEqual(await messagesFor(into.id), sent)
    assert.deepEqual(
      storedMessages(service, into.id).map(({ state }) => state),
      ['sent', 'failed'],
    )
    const { delivery } = await tenant.client.getOtpStatus({ id: into.id, scope: 'reset_password' })
    assert.equal(delivery, 'failed')
  })
}

test('does not send a code to a recipient changed in its row', async () => {
  const { id } = await issue(ofA, 'reset_password')
  await writeStored(service, 'UPDATE otps SET recipient = ? WHERE id = ?', 'attacker@example.com', id)
  service.clock.advance(60_000)
  await a.client.resendOtp({ id, scope: 'reset_password' })
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ recipient: 'attacker@example.com' })
  assert.deepEqual(messages, [])
})

test('does not open a testing channel message in the row of another tenant', async () => {
  const { id } = await issue(ofA, 'reset_password')
  const { sealed } = storedRow(service, 'SELECT sealed FROM outbox WHERE otp_id = ?', id)
  const other = await issue(ofB, 'reset_password')
  await writeStored(service, 'UPDATE outbox SET sealed = ? WHERE otp_id = ?', sealed!, other.id)
  const line = `GET /admin/testing-channel/messages?otpId=${other.id}`
  const answer = await request(service, line, { headers: { authorization: `Bearer ${service.adminKey}` } })
  assert.equal(answer.body.error.code, 'INTERNAL_SERVER')
  await writeStored(service, 'DELETE FROM outbox WHERE otp_id = ?', other.id)
})

test('erases the code in the transaction that ends the pending state', async () => {
  const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
  const scope = 'reset_password'
  const leave: Record<string, (otp: Issued) => Promise<unknown>> = {
    verified: ({ id, code }) => a.client.verifyOtp({ id, scope, code }),
    locked: async ({ id, code }) => {
      for (let tries = 0; tries < 5; tries++) {
        await a.client.verifyOtp({ id, scope, code: wrong(code) }).catch(() => undefined)
      }
    },
    consumed: async ({ id, code }) => {
      await a.client.verifyOtp({ id, scope, code })
      await a.client.resetPassword({ step: 'confirm', token: id, password: 'correct horse' })
    },
  }
  for (const [state, act] of Object.entries(leave)) {
    const otp = await issue(ofA, scope)
    assert.notEqual(sealedCodeOf(otp.id), null)
    await act(otp)
    assert.deepEqual([storedOtp(service, otp.id)['state'], sealedCodeOf(otp.id)], [state, null])
  }
  const cancelled = await issue(ofA, scope)
  await service.admin.deleteUser({ ...a, userId: ofA.userId })
  assert.deepEqual([storedOtp(service, cancelled.id)['state'], sealedCodeOf(cancelled.id)], ['cancelled', null])
  assert.deepEqual(storedRows(service, "SELECT id FROM otps WHERE state <> 'pending' AND sealed_code IS NOT NULL"), [])
})
