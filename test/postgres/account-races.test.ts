import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import type { TenantryClient } from '../../packages/client/src/index.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { cookieOf, openConsole, samePage, signInToConsole } from '../support/browser/console.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { assertSuccess } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant, testAdminKey } from '../support/service.ts'
import { addOpenTenant, enteredCode, newEmail, signInByCode } from '../support/sign-in-methods.ts'
import { storeOperator } from '../support/stored-operator.ts'
import { until } from '../support/until.ts'

let server: PostgresServer
let database: pg.Client
let google: IdentityProvider
let service: TestService
let tenant: TestTenant
let at: ReturnType<typeof addressTakeover>

before(async () => {
  server = await startPostgres()
  const url = await server.createDatabase()
  database = new pg.Client({ connectionString: url })
  await database.connect()
  google = await startIdentityProvider('google')
  // A call waits for the row as long as `until` waits for the other one. Its statements get 0.8 of the response timeout.
  const timeouts = { acquireTimeoutMs: 200_000, responseTimeoutMs: 200_000 }
  service = await startTestService({
    identityProviders: google.settings,
    storage: await openPostgresStorage({ url, ...timeouts }),
  })
  google.clock = service.clock
  tenant = await addOpenTenant(service, { google })
  at = addressTakeover(service, tenant)
})
after(async () => {
  await service.close()
  await google.close()
  await database.end()
  await server.close()
})

const isWaiting = async (count: number): Promise<boolean> => {
  const waiting = `SELECT COUNT(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return (await database.query(waiting)).rows[0].count === count
}

/** Both wait for the row of the user; `first` gets it first, after `second` has read what it reads before that. */
async function inTurn<T>(userId: string, first: () => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  await database.query('BEGIN')
  await database.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [userId])
  const one = first()
  // A refusal meanwhile fails this test, and does not end the process as an unhandled rejection.
  one.catch(() => {})
  await until(() => isWaiting(1))
  const other = second()
  other.catch(() => {})
  await until(() => isWaiting(2))
  await database.query('COMMIT')
  await one
  return other
}

/** A user with one address, and a thief who has replaced it. */
async function replacedAddress() {
  const [email, password] = [newEmail(), 'correct horse']
  const account = { email, emailVerified: true, password }
  const { id: userId } = await service.admin.createUser({ tenantId: tenant.tenantId }, account)
  const session = await tenant.client.signIn({ method: 'password', email, password })
  service.clock.advance(1000)
  const thief = tenant.client.withSession(session.accessToken)
  return { userId, email, thief, stolen: await at.change('email', thief) }
}

test('a code for an address that an undo is taking away does not sign in to the account', async () => {
  const { userId, email, stolen } = await replacedAddress()
  const undo = await at.undoOf(email)
  const token = await enteredCode(service, tenant, { email: stolen })
  service.clock.advance(1000)
  const { user } = await inTurn(
    userId,
    () => tenant.client.recoverAccount(undo),
    () => tenant.client.signIn({ method: 'otp', token }),
  )
  assert.deepEqual([user.id === userId, user.email], [false, stolen])
  assert.equal((await signInByCode(service, tenant, { email })).user.id, userId)
})

test('a code for an address that an operator is replacing does not hand over the account', async () => {
  const { userId, stolen } = await replacedAddress()
  const token = await enteredCode(service, tenant, { email: stolen })
  const { user } = await inTurn(
    userId,
    () => service.admin.updateUser({ tenantId: tenant.tenantId, userId }, { email: newEmail() }),
    () => tenant.client.signIn({ method: 'otp', token }),
  )
  assert.notEqual(user.id, userId)
  const { methods } = await service.admin.getUser({ tenantId: tenant.tenantId, userId })
  assert.deepEqual(methods, ['password', 'otp'])
})

for (const scope of ['others', 'all'] as const) {
  test(`a sign-out of ${scope} locks the user before any session, as a refresh does, so that they do not deadlock`, async () => {
    const person = await addPerson(service, tenant)
    const [{ accessToken }] = [await person.signIn(), await person.signIn()]
    await database.query('BEGIN')
    await database.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [person.userId])
    const signOut = tenant.client.withSession(accessToken).signOut({ scope })
    await until(() => isWaiting(1))
    const unlocked = 'SELECT id FROM sessions WHERE user_id = $1 FOR UPDATE SKIP LOCKED'
    const { rows } = await database.query(unlocked, [person.userId])
    await database.query('COMMIT')
    await signOut
    assert.equal(rows.length, 2)
  })
}

test('an identity that is being removed does not sign in to the account', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const sub = randomUUID()
  const tokenOf = () => google.sign({ sub, email_verified: false })
  const { identities } = await client.addIdentity({ method: 'google', idToken: await tokenOf() })
  const identityId = identities.find(({ method }) => method === 'google')!.id
  const idToken = await tokenOf()
  const { user } = await inTurn(
    person.userId,
    () => client.removeIdentity({ identityId }),
    () => tenant.client.signIn({ method: 'google', idToken }),
  )
  assert.notEqual(user.id, person.userId)
})

test('linking takes the address before the account at the provider, as a sign-in does, so that they do not deadlock', async () => {
  const email = newEmail()
  const other = await addPerson(service, tenant)
  const guest = await tenant.client.signIn({ method: 'guest' })
  const idToken = await google.sign({ email })
  await database.query('BEGIN')
  await database.query('UPDATE users SET email = $2 WHERE id = $1', [other.userId, email])
  const linked = tenant.client.withSession(guest.accessToken).addIdentity({ method: 'google', idToken })
  await until(() => isWaiting(1))
  const added = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE wait_event_type = 'Lock' AND relation = 'identities'::regclass AND mode = 'RowExclusiveLock'`
  const { rows } = await database.query(added)
  await database.query('ROLLBACK')
  assert.deepEqual((await linked).methods, ['otp', 'google'])
  assert.deepEqual(rows, [])
})

for (const [name, use] of Object.entries({
  'a sign-in': (client: TenantryClient, token: string) => client.signIn({ method: 'otp', token }),
  'a step-up': (client: TenantryClient, token: string) => client.stepUp({ method: 'otp', token }),
  'adding a sign-in method': (client: TenantryClient, token: string) => client.addIdentity({ method: 'otp', token }),
})) {
  test(`${name} consumes its code before it locks the user, so that two uses of it cannot deadlock`, async () => {
    const email = newEmail()
    const { user, accessToken } = await signInByCode(service, tenant, { email })
    service.clock.advance(60_000)
    const token = await enteredCode(service, tenant, { email })
    await database.query('BEGIN')
    await database.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [user.id])
    const used = use(tenant.client.withSession(accessToken), token)
    await until(() => isWaiting(1))
    const { rows } = await database.query('SELECT id FROM otps WHERE id = $1 FOR UPDATE SKIP LOCKED', [token])
    await database.query('COMMIT')
    await used
    assert.deepEqual(rows, [])
  })
}

test('a console session that begins while its key is rotated without an overlap ends', async () => {
  const { id: operatorId, key } = await storeOperator(service, { scopes: ['*'] })
  const earlier = await openConsole(service.baseUrl, testAdminKey)
  // The sign-in has read the operator, and waits to end the earlier session of its browser.
  await database.query('BEGIN; SELECT id FROM operator_sessions FOR UPDATE')
  const signedIn = signInToConsole(service.baseUrl, key, [...samePage, earlier])
  await until(() => isWaiting(1))
  let isRotated = false
  const rotated = service.admin.rotateOperatorKey({ operatorId }, { overlapHours: 0 }).then(() => {
    isRotated = true
  })
  await until(async () => isRotated || (await isWaiting(2)))
  await database.query('COMMIT')
  await rotated
  const headers = [cookieOf(await signedIn)]
  const answer = await send(service.baseUrl, { path: '/admin/session', headers })
  assert.equal(assertSuccess(answer, 200)['operator'], null)
})

test('no code goes to an address that a change is replacing: it would take the change back', async () => {
  const person = await addPerson(service, tenant)
  await person.prove()
  const client = await person.client()
  const { id } = await client.changeEmail({ email: newEmail() })
  const change = { id, scope: 'email_verification', code: await service.codeOf(id) } as const
  await inTurn(
    person.userId,
    () => client.verifyOtp(change),
    () => refused(client.issueOtp({ scope: 'email_verification' }), 'VALIDATION_ERROR'),
  )
})
