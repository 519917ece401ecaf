import { after, before, test } from 'node:test'
import { type Random, seededRandom } from '../campaign/seeded-random.ts'
import { type BothEngines, type Question, startBothEngines } from '../support/databases/both-engines.ts'
import { type PostgresServer, startPostgres } from '../support/databases/postgres-server.ts'
import type { WireAnswer } from '../support/http/wire.ts'
import { sampleSize } from '../support/runner/sample-size.ts'

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.close())

/**
 * Any difference between the answers or rows of the two engines is a bug in one of them. PostgreSQL uses a language
 * collation here, because initdb takes the locale of the environment by default.
 */
for (const limits of ['all=off', 'defaults']) {
  test(`both engines give the same answers and rows for random requests of two tenants; limits: ${limits}`, async () => {
    await using engines = await startBothEngines(postgres, 'en-US', limits === 'defaults' ? '' : limits)
    const random = seededRandom(20260115, limits)
    const tenants = [await addTenant(engines), await addTenant(engines)]
    for (let step = 0; step < sampleSize(300, 100); step++) {
      engines.advance(random.pick([0, 50, 1_000, step % 40 === 0 ? 120_000 : 10]))
      await random.pick(moves)(engines, random, random.pick(tenants))
      if (step % 100 === 99) {
        await engines.tidy()
        await engines.assertSameRows()
      }
    }
  })
}

interface Person {
  readonly id: string
  accessToken: string
  refreshToken: string
}

interface Tenant {
  readonly path: string
  readonly key: string
  readonly people: Person[]
}

type Move = (engines: BothEngines, random: Random, tenant: Tenant) => Promise<unknown>

const fields = ['a', 'b', 'c', 'd']
const types = ['text', 'text', 'multiline', 'multiline', 'number', 'list', 'list', 'email']
const texts = [
  'Ada',
  'ADA',
  'Łódź',
  'e\u0301',
  'é',
  '💥',
  'İ',
  'ß',
  '',
  ' x ',
  "O'Neil",
  '\\',
  '%_',
  '\uffff',
  '\0',
  '\ud800',
  '$1',
]
const anything = [...texts, 0, -1, 1.5, 2 ** 53 - 1, 1e21, 5e-324, true, false, null, '2024-02-29', ['é', 'Z', 'a'], []]
const emails = (random: Random) => `${random.pick(['Ada', 'ada', "o'neil", 'a%b'])}${random.below(2)}@Example.com`
const profile = (random: Random) =>
  Object.fromEntries(fields.map((name) => [name, random.pick(anything)]).slice(2 + random.below(3)))
const password = 'correct horse battery'

/** The fields of an answer that moves use; each only where the operation returns it. */
interface AnswerData {
  readonly id: string
  readonly key: string
  readonly user: { readonly id: string }
  readonly accessToken: string
  readonly refreshToken: string
  readonly messages: readonly { readonly code: string }[]
  readonly nextCursor: string | null
}

/** The data of a successful answer with a body, otherwise null. */
function dataOf({ status, text, json }: WireAnswer): AnswerData | null {
  return status < 300 && text !== '' ? (json() as { data: AnswerData }).data : null
}

async function addTenant(engines: BothEngines): Promise<Tenant> {
  const ask = async (question: Question) => dataOf(await engines.ask(question))!
  const { id } = await ask({ method: 'POST', path: '/admin/tenants', body: { name: 'Acme' } })
  const path = `/admin/tenants/${id}`
  const otp = { length: 8, resendIntervalSeconds: 0 }
  const body = { auth: { methods: ['password', 'otp', 'guest'] }, otp }
  await ask({ method: 'PATCH', path: `${path}/configuration`, body })
  const { key } = await ask({ method: 'POST', path: `${path}/keys`, body: {} })
  return { path, key, people: [] }
}

/** Issues a one-time password and in most cases verifies it. @returns its id */
async function prove(engines: BothEngines, random: Random, { key }: Tenant, question: Question): Promise<string> {
  const id = dataOf(await engines.ask(question))?.id
  if (id === undefined) return 'none'
  const scope = (question.body as { scope?: string }).scope ?? 'reset_password'
  if (random.next() < 0.3) await engines.ask({ method: 'POST', path: '/otp/resend', key, body: { id, scope } })
  const data = dataOf(await engines.ask({ method: 'GET', path: `/admin/testing-channel/messages?otpId=${id}` }))
  const code = random.next() < 0.9 ? data?.messages.at(-1)?.code : 'wrong'
  await engines.ask({ method: 'POST', path: '/otp/verify', key, body: { id, scope, code } })
  await engines.ask({ method: 'POST', path: '/otp/status', key, body: { id, scope } })
  return id
}

async function openSession(engines: BothEngines, tenant: Tenant, path: string, body: object): Promise<void> {
  const data = dataOf(await engines.ask({ method: 'POST', path, key: tenant.key, body }))
  if (data) tenant.people.push({ id: data.user.id, accessToken: data.accessToken, refreshToken: data.refreshToken })
}

type Generated<T> = (random: Random) => T

/** Sent by one of the users, if there is one. */
const asUser =
  (method: string, path: Generated<string>, body?: Generated<unknown>): Move =>
  async (engines, random, { key, people }) => {
    if (people.length === 0) return
    const { accessToken } = random.pick(people.slice(-6))
    await engines.ask({ key, accessToken, method, path: path(random), body: body?.(random) })
  }

/** Sent with the admin key, below the tenant's path; `:user` is one of its users. */
const asAdmin =
  (method: string, below: Generated<string>, body?: Generated<unknown>): Move =>
  async (engines, random, { path, people }) => {
    const user = people.length > 0 ? random.pick(people.slice(-6)).id : 'unknown'
    const fullPath = path + below(random).replace(':user', user)
    await engines.ask({ method, path: fullPath, body: body?.(random) })
  }

const ending = (random: Random) => ({ reason: random.pick(texts), until: random.pick([null, '2026-01-15T12:05:00Z']) })

const moves: readonly Move[] = [
  (engines, random, tenant) =>
    openSession(engines, tenant, '/auth/sign-up', {
      method: 'password',
      email: emails(random),
      password,
      profile: profile(random),
    }),
  (engines, random, tenant) =>
    openSession(engines, tenant, '/auth/sign-in', { method: 'password', email: emails(random), password }),
  (engines, _, tenant) => openSession(engines, tenant, '/auth/sign-in', { method: 'guest' }),
  async (engines, random, tenant) => {
    const body = { scope: 'otp_signin', email: emails(random), locale: random.pick(['fr', 'de-CH', 'xx']) }
    const token = await prove(engines, random, tenant, { method: 'POST', path: '/otp', key: tenant.key, body })
    await openSession(engines, tenant, '/auth/sign-in', { method: 'otp', token })
  },
  async (engines, random, tenant) => {
    const path = '/auth/reset-password'
    const body = { step: 'challenge', email: emails(random) }
    const token = await prove(engines, random, tenant, { method: 'POST', path, key: tenant.key, body })
    await engines.ask({ method: 'POST', path, key: tenant.key, body: { step: 'confirm', token, password } })
  },
  async (engines, _, { key, people }) => {
    const person = people.at(-1)
    if (!person) return
    const { refreshToken } = person
    const data = dataOf(await engines.ask({ method: 'POST', path: '/auth/refresh', key, body: { refreshToken } }))
    if (data) Object.assign(person, { accessToken: data.accessToken, refreshToken: data.refreshToken })
  },
  asUser('PATCH', () => '/account/profile', profile),
  asUser('PATCH', () => '/account/profile', profile),
  asUser('GET', (random) => random.pick(['/account', '/account/profile', '/account/sessions', '/account/export'])),
  asUser(
    'POST',
    () => '/account/password',
    (random) => ({ currentPassword: password, password: random.pick([password, 'another one']) }),
  ),
  asUser('GET', () => '/tenant-configuration'),
  async (engines, random, tenant) => {
    if (random.next() < 0.7) return
    const move = random.pick([
      asUser('DELETE', () => '/account'),
      asAdmin('DELETE', () => random.pick(['/users/:user', '/users/:user/sessions'])),
    ])
    await move(engines, random, tenant)
  },
  asAdmin('GET', (random) => `/users?limit=200${random.pick(['', '&id=0', '&id=01k', `&email=${emails(random)}`])}`),
  async (engines, random, { path }) => {
    const list = `${path}/${random.pick(['users', 'messages', 'keys'])}?limit=2`
    let cursor = dataOf(await engines.ask({ method: 'GET', path: list }))?.nextCursor
    while (cursor) cursor = dataOf(await engines.ask({ method: 'GET', path: `${list}&cursor=${cursor}` }))?.nextCursor
  },
  asAdmin('GET', (random) => `/messages?state=${random.pick(['sent', 'failed', 'cancelled', 'queued'])}`),
  asAdmin('GET', (random) =>
    random.pick(['/users/export', '/users/:user', '/users/:user/sessions', '/users/:user/profile']),
  ),
  asAdmin(
    'PATCH',
    () => '/users/:user',
    (random) => ({
      restrictions: random.next() < 0.6 ? [] : [{ capability: 'upload', ...ending(random) }],
      suspension: random.next() < 0.8 ? null : ending(random),
    }),
  ),
  asAdmin('PATCH', () => '/users/:user/profile', profile),
  asAdmin(
    'POST',
    () => '/users',
    (random) => ({ email: emails(random), phone: `+3361234567${random.below(9)}`, password, emailVerified: true }),
  ),
  asAdmin(
    'POST',
    () => '/users/import',
    (random) =>
      JSON.stringify({
        email: emails(random),
        createdAt: random.pick(['1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']),
        identities: [{ provider: 'google', subject: random.pick(texts) }],
        profile: profile(random),
      }),
  ),
  asAdmin(
    'PUT',
    () => '/profile-schema',
    (random) => ({
      components: random.shuffled(fields).map((name) => ({ name, type: random.pick(types) })),
      migrations: random.next() < 0.5 ? [] : [{ drop: 'gone' }],
    }),
  ),
  asAdmin(
    'PATCH',
    () => '/configuration',
    (random) => ({
      [random.pick(['theme', 'Ünïcode', 'a b'])]: random.pick([{ text: random.pick(texts), n: 1e300 }, null, 'text']),
    }),
  ),
  asAdmin(
    'PATCH',
    () => '',
    (random) => ({
      name: random.pick(texts),
      restrictedCapabilities: random.pick([[], [], [], ['sign_up', 'upload']]),
    }),
  ),
]
