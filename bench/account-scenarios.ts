import { createTenantryClient } from '../packages/client/src/index.ts'
import { requestBytes } from './load.ts'
import { benchPassword, emailOf, refreshTokenOf, spread } from './people.ts'
import type { Subject } from './scenario.ts'
import { always, bare, eachOnce, envelopeBytes, type Scenario } from './scenario.ts'
import { addOtps } from './seed.ts'
import type { SignIns } from './sign-ins.ts'

/** Hashing takes 20 ms of a core, so few connections suffice; with many, a request would wait too long and be refused. */
const hashingConnections = 16

/** The operations on accounts. Their order matters: confirming a reset ends sessions and changes passwords. */
export async function accountScenarios(subject: Subject, signIns: SignIns): Promise<Scenario[]> {
  const { baseUrl, tenant, people } = subject
  const { tenantKey } = tenant
  const key = { 'x-tenant-key': tenantKey }
  const client = createTenantryClient({ baseUrl, tenantKey })
  const account = await fetch(`${baseUrl}/account`, { headers: signIns.headers(0) })
  const accountBytes = (await account.arrayBuffer()).byteLength
  const password = { method: 'password', email: emailOf(0), password: benchPassword } as const
  const sessionBytes = envelopeBytes(await client.signIn(password))
  const nextSession = spread(people.sessions)
  const nextUser = spread(people.users)
  const refresh = refreshesOf(people.sessions, key)
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

  return [
    {
      name: 'account',
      status: 200,
      prepare: async () => {
        await signIns.renew()
        return () => requestBytes('GET', '/account', signIns.headers(nextSession()))
      },
      references: { bare: bare('GET', 200, accountBytes, signIns.headers(0)) },
    },
    {
      name: 'refresh',
      status: 201,
      prepare: async () => refresh,
      references: { bare: bare('POST', 201, sessionBytes, key, { refreshToken: refreshTokenOf(0) }) },
    },
    {
      name: 'sign-in by code',
      status: 201,
      mostPerSecond: 15_000,
      prepare: async (count) => {
        const ids = await addOtps(subject, count, { scope: 'otp_signin', state: 'verified' })
        return eachOnce(ids, (token) => requestBytes('POST', '/auth/sign-in', key, { method: 'otp', token }))
      },
      references: { bare: bare('POST', 201, sessionBytes, key, { method: 'otp', token: id }) },
    },
    {
      name: 'sign-in by password',
      status: 201,
      mostConnections: hashingConnections,
      prepare: async () => () =>
        requestBytes('POST', '/auth/sign-in', key, { ...password, email: emailOf(nextUser()) }),
      references: { 'hash alone': always('POST', '/verify', {}) },
    },
    {
      name: 'confirm',
      status: 201,
      mostConnections: hashingConnections,
      // The notice that the password has changed.
      sendsMessages: true,
      mostPerSecond: 400,
      prepare: async (count) => {
        const ids = await addOtps(subject, count, { scope: 'reset_password', state: 'verified' })
        return eachOnce(ids, (token) =>
          requestBytes('POST', '/auth/reset-password', key, { step: 'confirm', token, password: 'a new password' }),
        )
      },
      references: { 'hash alone': always('POST', '/hash', {}) },
    },
  ]
}

/** Each connection has its own share of the sessions and refreshes them in turn, each with its latest refresh token. */
function refreshesOf(sessions: number, key: Record<string, string>) {
  const tokens = Array.from({ length: sessions }, (_, session) => refreshTokenOf(sessions + session))
  const turns = new Map<number, number>()
  return (connection: number, answer: Buffer | null): Buffer => {
    const turn = turns.get(connection) ?? 0
    const next = answer === null ? turn : turn + 1
    const renewed = answer === null ? undefined : refreshTokenIn(answer)
    if (renewed !== undefined) tokens[sessionAt(connection, turn, sessions)] = renewed
    turns.set(connection, next)
    return requestBytes('POST', '/auth/refresh', key, { refreshToken: tokens[sessionAt(connection, next, sessions)] })
  }
}

const mostConnections = 64

/** Connections whose numbers differ never share a session, unless there are fewer sessions than connections. */
const sessionAt = (connection: number, turn: number, sessions: number): number =>
  (connection + mostConnections * (turn % Math.max(1, Math.floor(sessions / mostConnections)))) % sessions

/** The refresh token in a response; an error response has none. */
const refreshTokenIn = (answer: Buffer): string | undefined =>
  /"refreshToken":"([^"]+)"/.exec(answer.toString('latin1'))?.[1]
