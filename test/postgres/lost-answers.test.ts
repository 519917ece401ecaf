import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { TenantryError } from '../../packages/client/src/index.ts'
import { openPostgresStorage } from '../../server/storage/postgres/postgres-storage.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import { addPerson, type Person } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { type Cut, CuttingProxy } from './cutting-proxy.ts'

let server: PostgresServer
let database: pg.Client
let proxy: CuttingProxy
let service: TestService
let tenant: TestTenant

before(async () => {
  server = await startPostgres()
  const url = await server.createDatabase()
  database = new pg.Client({ connectionString: url })
  await database.connect()
  proxy = await CuttingProxy.start(url)
  service = await startTestService({ storage: await openPostgresStorage({ url: proxy.url }) })
  tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, { components: [{ name: 'firstName', type: 'text' }] })
})
after(async () => {
  await service.close()
  await proxy[Symbol.asyncDispose]()
  await database.end()
  await server.close()
})

/** `done`, or the code of the error. */
const outcomeOf = async (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof TenantryError) return error.code
      throw error
    },
  )

interface Case {
  /** The statement whose transaction is cut. */
  readonly statement: string
  /** Sets up the operation; returns it, and how often its effect is stored. */
  prepare(person: Person): Promise<{ ask(): Promise<unknown>; effects(): Promise<number> }>
  /** The outcome of the same request after it was done. */
  readonly again: string
  /** How often the effect is stored then; default 1. */
  readonly effectsAgain?: number
}

const scope = 'reset_password'
const status = (id: string) => tenant.client.getOtpStatus({ id, scope })

const count = async (sql: string, value: string): Promise<number> =>
  Number((await database.query(`SELECT COUNT(*) AS count FROM ${sql}`, [value])).rows[0].count)

/** Whether the password signs in, which does not change what other cases count. */
const signsIn = async (person: Person, password: string): Promise<number> =>
  (await outcomeOf(person.signIn(password))) === 'done' ? 1 : 0

let signUps = 0

const cases: Record<string, Case> = {
  challenge: {
    statement: 'postgres.otp.issueWithEvent',
    async prepare(person) {
      return {
        ask: () => tenant.client.resetPassword({ step: 'challenge', email: person.email }),
        effects: () => count('otps WHERE user_id = $1', person.userId),
      }
    },
    // Each challenge issues another one-time password; older ones stay valid.
    again: 'done',
    effectsAgain: 2,
  },
  resend: {
    statement: 'postgres.otp.resend',
    async prepare(person) {
      const { id } = await person.issue(scope)
      service.clock.advance(61_000)
      return {
        ask: () => tenant.client.resendOtp({ id, scope }),
        effects: async () => 3 - (await status(id)).resendsRemaining,
      }
    },
    again: 'OTP_RESEND_INTERVAL_NOT_EXPIRED',
  },
  verify: {
    statement: 'postgres.otp.verifyWithEvent',
    async prepare(person) {
      const { id } = await person.issue(scope)
      const code = await service.codeOf(id)
      return {
        ask: () => tenant.client.verifyOtp({ id, scope, code }),
        effects: async () => ((await status(id)).state === 'verified' ? 1 : 0),
      }
    },
    again: 'OTP_ALREADY_VERIFIED',
  },
  confirm: {
    statement: 'otp.consume',
    async prepare(person) {
      const id = await person.verified(scope)
      const password = `${person.email} changed`
      return {
        ask: () => tenant.client.resetPassword({ step: 'confirm', token: id, password }),
        effects: () => signsIn(person, password),
      }
    },
    again: 'OTP_ALREADY_CONSUMED',
  },
  'profile update': {
    statement: 'postgres.profile.addWithEvent',
    async prepare(person) {
      const client = await person.client()
      return {
        ask: () => client.updateProfile({ firstName: 'Ada' }),
        effects: () => count("profiles WHERE content LIKE '%Ada%' AND user_id = $1", person.userId),
      }
    },
    again: 'done',
  },
  'sign-up': {
    statement: 'user.add',
    async prepare() {
      const email = `sign-up-${++signUps}@example.com`
      const password = 'correct horse'
      return {
        ask: () => tenant.client.signUp({ method: 'password', email, password }),
        effects: () => count('users WHERE email = $1', email),
      }
    },
    again: 'EMAIL_ALREADY_REGISTERED',
  },
}

for (const [name, { statement, prepare, again, effectsAgain = 1 }] of Object.entries(cases)) {
  test(`${name}: when the connection is lost before COMMIT → 500, nothing is done, and a retry succeeds`, async () => {
    const { ask, effects } = await prepare(await addPerson(service, tenant))
    const cut = proxy.cut({ statement, at: 'before COMMIT' })
    assert.equal(await outcomeOf(ask()), 'INTERNAL_SERVER')
    await cut
    assert.equal(await effects(), 0)
    assert.equal(await outcomeOf(ask()), 'done')
    assert.equal(await effects(), 1)
  })

  test(`${name}: when the answer to COMMIT is lost → 500, it is done once, and a retry → ${again}`, async () => {
    const { ask, effects } = await prepare(await addPerson(service, tenant))
    const cut = proxy.cut({ statement, at: 'after COMMIT' })
    assert.equal(await outcomeOf(ask()), 'INTERNAL_SERVER')
    await cut
    assert.equal(await effects(), 1)
    assert.equal(await outcomeOf(ask()), again)
    assert.equal(await effects(), effectsAgain)
  })
}

for (const name of ['challenge', 'profile update', 'sign-up']) {
  test(`${name}: when the server fails to sync the COMMIT, which its recovery finds → 500, as the outcome is unknown`, async () => {
    const { statement, prepare } = cases[name]!
    const { ask, effects } = await prepare(await addPerson(service, tenant))
    const cut = proxy.cut({ statement, at: 'failed sync of COMMIT' })
    assert.equal(await outcomeOf(ask()), 'INTERNAL_SERVER')
    await cut
    assert.equal(await effects(), 1)
  })

  test(`${name}: when the server shuts down right after answering COMMIT → done, once`, async () => {
    const { statement, prepare } = cases[name]!
    const { ask, effects } = await prepare(await addPerson(service, tenant))
    const cut = proxy.cut({ statement, at: 'shut down after COMMIT' })
    assert.equal(await outcomeOf(ask()), 'done')
    await cut
    assert.equal(await effects(), 1)
  })
}

test('a resend that is cut after any number of bytes reports success only if it was done', async (t) => {
  const seen: Record<string, number> = {}
  for (const at of [1, 90, 180, 270, 360, 380, 400, 410, 420, 430, 440, 450]) {
    const person = await addPerson(service, tenant)
    const { ask, effects } = await cases['resend']!.prepare(person)
    const where: Cut = { statement: 'postgres.otp.resend', at }
    const cut = proxy.cut(where)
    const outcome = await outcomeOf(ask())
    const found = await effects()
    seen[`${outcome}, ${found}`] = (seen[`${outcome}, ${found}`] ?? 0) + 1
    if (outcome === 'done') assert.equal(found, 1)
    else assert.ok(outcome === 'INTERNAL_SERVER' && found <= 1)
    if (found === 1) assert.equal(await outcomeOf(ask()), 'OTP_RESEND_INTERVAL_NOT_EXPIRED')
    else assert.equal(await outcomeOf(ask()), 'done')
    assert.equal(await effects(), 1)
    await cut
  }
  t.diagnostic(
    Object.entries(seen)
      .map(([what, count]) => `${what}: ${count}`)
      .join('; '),
  )
})

test('a transaction whose connection is lost before its COMMIT was sent is retried on another one', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const cut = proxy.cut({ statement: 'user.lock', at: 1 })
  assert.equal((await client.updateProfile({ firstName: 'Grace' }))['firstName'], 'Grace')
  await cut
})
