import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailServers, openEnumerationFixture } from '../support/attacks/enumeration-fixture.ts'
import { measuredOtp } from '../support/attacks/enumeration-times.ts'
import { ofBackground } from '../support/databases/background-statements.ts'
import { storedMessages } from '../support/databases/stored-rows.ts'

const scope = 'reset_password'
const password = 'battery staple'

const recorded = [...mailServers.map((mail) => [mail, 'security'] as const), ['fast', 'all'] as const]

for (const [mail, detail] of recorded) {
  test(`runs the same statements and hashes for real and decoy addresses with a ${mail} mail server, recording ${detail}`, async (t) => {
    const statements: string[] = []
    const hooks = { onStatement: (name: string) => void statements.push(name) }
    await using fixture = await openEnumerationFixture(mail, { otp: measuredOtp, events: { detail }, hooks })
    const { hasher, delivery } = fixture.service.service.services
    const { client } = fixture.tenant

    /** The statements and hashes of a request, without those of background work. */
    async function workOf(act: () => Promise<unknown>) {
      await delivery.drain()
      statements.length = 0
      const before = [hasher.hashes, hasher.verifies]
      await act().catch(() => {})
      const own = statements.filter((name) => !ofBackground.test(name))
      return { own, hashes: hasher.hashes - before[0]!, verifies: hasher.verifies - before[1]! }
    }

    async function costs(email: string) {
      let id = ''
      const challenge = async () => {
        id = (await client.resetPassword({ step: 'challenge', email })).id
      }
      return {
        challenge: await workOf(challenge),
        status: await workOf(() => client.getOtpStatus({ id, scope })),
        resend: await workOf(() => client.resendOtp({ id, scope })),
        wrongCode: await workOf(() => client.verifyOtp({ id, scope, code: 'wrong' })),
        confirm: await workOf(() => client.resetPassword({ step: 'confirm', token: id, password })),
        issue: await workOf(() => client.issueOtp({ scope: 'otp_signin', email })),
        signIn: await workOf(() => client.signIn({ method: 'password', email, password })),
        signUp: await workOf(() => client.signUp({ method: 'password', email, password })),
      }
    }

    // The first request of a tenant reads its configuration.
    await costs('warm-up@example.com')
    const real = await costs(fixture.real[0]!)
    assert.deepEqual(await costs(fixture.decoys[0]!), real)
    for (const [name, { own }] of Object.entries(real)) assert.ok(own.length > 0, name)
    assert.deepEqual([real.signIn.verifies, real.confirm.hashes], [1, 0])
    t.diagnostic(JSON.stringify(real.challenge.own))
  })
}

for (const mail of mailServers) {
  test(`leaves the message of a decoy in the same state as a real one with a ${mail} mail server`, async () => {
    await using fixture = await openEnumerationFixture(mail)
    const messageTo = async (email: string) => {
      const { id } = await fixture.tenant.client.resetPassword({ step: 'challenge', email })
      await fixture.service.service.services.delivery.drain()
      const [message] = storedMessages(fixture.service, id)
      return { state: message!['state'], attempts: message!['attempts'] }
    }
    const real = await messageTo(fixture.real[0]!)
    assert.deepEqual(await messageTo(fixture.decoys[0]!), real)
    assert.equal(real.state, { fast: 'sent', slow: 'sent', down: 'queued', bouncing: 'failed' }[mail])
  })
}
