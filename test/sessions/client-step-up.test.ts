import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSession, type StepUpProof, type StepUpRequest } from '../../packages/client/src/index.ts'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { addPerson, type Person } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { recordedClient, testStorage } from '../support/session-client.ts'
import { addOpenTenant, enteredCode, newEmail } from '../support/sign-in-methods.ts'

let service: TestService
let tenant: TestTenant
let person: Person

before(async () => {
  service = await startTestService()
  tenant = await addOpenTenant(service)
  person = await addPerson(service, tenant)
})
after(() => service.close())

const rightProof = (): StepUpProof => ({ method: 'password', password: person.password })

/** A session whose sign-in is no longer fresh; `answer` plays the user. */
async function staleSession(answer: (request: StepUpRequest) => Promise<StepUpProof | null>) {
  const asked: StepUpRequest[] = []
  const recorded = recordedClient(service, tenant)
  const storage = testStorage()
  const session = createSession(recorded.client, {
    storage,
    onStepUp: (request) => {
      asked.push(request)
      return answer(request)
    },
  })
  await session.client.signIn({ method: 'password', email: person.email, password: person.password })
  service.clock.advance(601_000)
  recorded.sent.length = 0
  return { session, asked, recorded, storage }
}

test('asks for a proof, and repeats the call with the fresh token', async () => {
  const { session, asked, recorded } = await staleSession(async () => rightProof())
  assert.equal((await session.client.exportAccount()).user.id, person.userId)
  assert.deepEqual(asked, [
    { user: { ...asked[0]!.user, id: person.userId }, operation: 'exportAccount', error: undefined },
  ])
  assert.deepEqual(recorded.sent, ['GET /account/export', 'POST /auth/step-up', 'GET /account/export'])
  await session.client.exportAccount()
  assert.equal(asked.length, 1, 'the fresh token is kept')
})

test('rejects with FRESH_SIGN_IN_REQUIRED when the user gives up or the app cannot ask', async () => {
  const { session, recorded, storage } = await staleSession(async () => null)
  await refused(session.client.exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
  await refused(createSession(recorded.client, { storage }).client.exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
  assert.deepEqual(recorded.sent, ['GET /account/export', 'GET /account/export'])
  assert.equal(session.state.status, 'signedIn')
})

test('asks again after a wrong proof, and says why', async () => {
  const proofs: (StepUpProof | null)[] = [
    { method: 'password', password: 'wrong' },
    { method: 'otp', token: 'x' },
    rightProof(),
  ]
  const { session, asked } = await staleSession(async () => proofs.shift() ?? null)
  await session.client.exportAccount()
  assert.deepEqual(
    asked.map(({ error }) => error?.code),
    [undefined, 'INVALID_CREDENTIALS', 'OTP_NOT_FOUND'],
  )
})

test('rejects when the service does not take proofs for a time', async () => {
  const { session, asked, recorded } = await staleSession(async () => rightProof())
  recorded.intercept = async (path, send) => {
    if (path !== '/auth/step-up') return send()
    const meta = { requestId: 'r', timestamp: '2026-01-31T12:00:00.000Z' }
    return Response.json({ meta, error: { code: 'TOO_MANY_REQUESTS', message: 'wait', status: 429 } }, { status: 429 })
  }
  await refused(session.client.exportAccount(), 'TOO_MANY_REQUESTS')
  assert.equal(asked.length, 1)
})

test('concurrent calls share one prompt', async () => {
  const shown = Promise.withResolvers<void>()
  const { session, asked } = await staleSession(async () => {
    await shown.promise
    return rightProof()
  })
  const calls = [
    session.client.exportAccount(),
    session.client.exportAccount(),
    session.client.changeEmail({ email: 'x@example.net' }),
  ]
  setTimeout(shown.resolve, 100)
  await Promise.all(calls)
  assert.equal(asked.length, 1)

  const { session: given, asked: askedOnce } = await staleSession(async () => null)
  const results = await Promise.allSettled([given.client.exportAccount(), given.client.exportAccount()])
  assert.ok(results.every((result) => result.status === 'rejected' && result.reason.code === 'FRESH_SIGN_IN_REQUIRED'))
  assert.ok(askedOnce.length <= 2)
})

test('does not send the proof of a user who was signed out meanwhile', async () => {
  const { session, recorded } = await staleSession(async () => {
    await session.client.signIn({ method: 'guest' })
    return rightProof()
  })
  await refused(session.client.exportAccount(), 'FRESH_SIGN_IN_REQUIRED')
  assert.deepEqual(recorded.sent, ['GET /account/export', 'POST /auth/sign-in'])
})

test('keeps the token of a step-up that the app makes itself', async () => {
  const { session } = await staleSession(async () => null)
  await session.client.stepUp(rightProof())
  await session.client.exportAccount()
})

test('asks for a proof after it refreshed an expired token', async () => {
  const { session, asked, recorded } = await staleSession(async () => rightProof())
  service.clock.advance(600_000)
  await session.client.exportAccount()
  assert.equal(asked.length, 1)
  assert.deepEqual(
    recorded.sent.map((line) => line.split('/').at(-1)),
    ['export', 'refresh', 'export', 'step-up', 'export'],
  )
})

test('asks for a code to an address that was restored, and repeats its change', async () => {
  const owner = await addPerson(service, tenant)
  await owner.prove()
  const { change, undoOf } = addressTakeover(service, tenant)
  service.clock.advance(1000)
  await change('email', await owner.client())
  service.clock.advance(1000)
  await tenant.client.recoverAccount(await undoOf(owner.email))
  const asked: (string | undefined)[] = []
  const session = createSession(recordedClient(service, tenant).client, {
    storage: testStorage(),
    async onStepUp({ user, error }) {
      asked.push(error?.code)
      if (error?.code !== 'ADDRESS_PROOF_REQUIRED') return { method: 'password', password: owner.password }
      return { method: 'otp', token: await enteredCode(service, tenant, { email: user.email! }) }
    },
  })
  await session.client.signIn({ method: 'password', email: owner.email, password: owner.password })
  service.clock.advance(601_000)
  await session.client.changeEmail({ email: newEmail() })
  assert.deepEqual(asked, [undefined, 'ADDRESS_PROOF_REQUIRED'])
})
