import type pg from 'pg'
import { ulid } from '../server/core/ids.ts'
// Registers the statements.
import '../server/storage/postgres/postgres-storage.ts'
import { registeredStatements } from '../server/storage/statement.ts'
import { otps } from '../server/storage/stores/otps.ts'
import { progressOf } from '../server/storage/stores/outbox-columns.ts'
import { emailOf, otpIdOf, sessionIdOf, spread, storedOtp, userIdOf, userOfSession } from './people.ts'
import type { Subject } from './scenario.ts'

/** Connections of one process, the service's default. */
export const poolSize = 10

/** A registered statement with its parameters. */
type Step = readonly [name: string, ...parameters: unknown[]]
/** The round trips of one request; the statements of each are sent together. */
export type Trips = () => readonly (readonly Step[])[]

/** The requests per second that the connections of one process allow: sends their statements and does nothing else. */
export async function driveDatabase(pool: pg.Pool, trips: Trips, seconds: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: poolSize }, () => pool.connect()))
  const end = performance.now() + seconds * 1000
  const start = performance.now()
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      try {
        for (; performance.now() < end; done++) {
          for (const trip of trips()) await Promise.all(trip.map((step) => client.query(queryOf(step))))
        }
      } finally {
        // `pool.end()` waits for it, also after an error.
        client.release()
      }
    }),
  )
  return done / ((performance.now() - start) / 1000)
}

const sqlByName = new Map(registeredStatements().map(({ name, sql, arrays }) => [name, { sql, arrays }]))

function queryOf([name, ...values]: Step): pg.QueryConfig | string {
  const statement = sqlByName.get(name)
  if (statement === undefined) return name
  return { name, text: statement.sql, values, ...(statement.arrays && { rowMode: 'array' }) } as pg.QueryConfig
}

/** The statements of each operation, for prepared rows. */
export function tripsOf({ tenant, people }: Subject, masterKeyId: string): Record<string, () => Trips> {
  const { tenantId } = tenant
  const keyId = tenant.tenantKey.split('_')[2]!
  const nextUser = spread(people.users)
  const nextSession = spread(people.sessions)
  // Setting the tenant requires a transaction here; reads of the service need none (docs/decisions/0022-pipelined-queries.md).
  const framed = (...steps: Step[]): Step[] => [['BEGIN'], ['postgres.enterTenant', tenantId], ...steps, ['COMMIT']]
  const callerRecord: Step[] = [['caller.key', tenantId, keyId]]
  // With a key that servers have, so that they fail the message instead of waiting for a process with the key.
  const unreadable = `${masterKeyId}.sealed`
  let turn = 0

  return {
    configuration: () => () => [callerRecord],
    resend: () => () => {
      const now = Date.now()
      const otp = [tenantId, otpIdOf(nextUser()), 'otp_signin', now]
      return [callerRecord, framed(['postgres.otp.resend', ...otp, ...newMessage(now)])]
    },
    challenge: () => () => {
      const now = Date.now()
      const user = nextUser()
      const otp = storedOtp({ id: ulid(now), user, scope: 'reset_password' }, unreadable, now)
      return [
        callerRecord,
        framed(['user.findByEmail', tenantId, emailOf(user)]),
        framed(['profile.find', tenantId, userIdOf(user)]),
        framed(['postgres.otp.issue', tenantId, ...otps.values(otp), ...newMessage(now)]),
      ]
    },
    'profile PATCH': () => () => {
      const session = nextSession()
      const content = JSON.stringify({ field1: `value ${turn++}`, field2: 'another value', field3: 'and one more' })
      const userId = userIdOf(userOfSession(session, people))
      return [
        [['caller.session', tenantId, keyId, sessionIdOf(session)]],
        framed(['profile.find', tenantId, userId]),
        // Without a matching revision, so that nothing changes; finding the row costs the same.
        framed(['profile.replace', tenantId, userId, 'none', content, Date.now(), 0, null]),
      ]
    },
  }
}

/** The parameters of a message that a worker is to claim. */
function newMessage(now: number): (string | number | null)[] {
  const id = ulid(now)
  const { state, attempts, dueAt, leaseOwner } = progressOf({ id, lease: null }, { lastSentAt: now })
  return [id, state, attempts, dueAt, leaseOwner]
}
