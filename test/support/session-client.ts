import {
  createSession,
  createTenantryClient,
  type Session,
  type SessionStorage,
  type TenantryClient,
} from '../../packages/client/src/index.ts'
import type { Person } from './person.ts'
import type { TestService, TestTenant } from './service.ts'

/** A storage in memory whose content the test can read and change. */
export interface TestStorage extends SessionStorage {
  readonly items: Map<string, string>
}

export function testStorage(): TestStorage {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  }
}

/** A client of a tenant that records its requests. `intercept` can replace `fetch` for one request. */
interface RecordedClient {
  readonly client: TenantryClient
  /** `POST /auth/refresh` and so on, in the order they were sent. */
  readonly sent: string[]
  intercept: ((path: string, send: () => Promise<Response>) => Promise<Response>) | undefined
}

export function recordedClient(service: TestService, tenant: TestTenant, timeoutMs?: number): RecordedClient {
  const sent: string[] = []
  const recorded: RecordedClient = {
    client: createTenantryClient({
      baseUrl: service.baseUrl,
      tenantKey: tenant.key,
      timeoutMs,
      fetch: async (input, init) => {
        const path = new URL(String(input)).pathname
        sent.push(`${init?.method} ${path}`)
        const send = () => fetch(input, init)
        return await (recorded.intercept?.(path, send) ?? send())
      },
    }),
    sent,
    intercept: undefined,
  }
  return recorded
}

const MINUTE = 60_000

/** Lets the access token expire for the service and, unless the local clock is meant to be wrong, in the storage. */
export function expireAccessToken(service: TestService, storage?: TestStorage): void {
  service.clock.advance(20 * MINUTE)
  if (storage === undefined) return
  for (const [key, text] of storage.items) {
    const session = JSON.parse(text)
    storage.items.set(key, JSON.stringify({ ...session, receivedAt: session.receivedAt - 20 * MINUTE }))
  }
}

/** A session over a storage, with a record of its requests. */
interface TestSession {
  readonly session: Session
  readonly storage: TestStorage
  readonly recorded: RecordedClient
}

/** A session over a storage that others may share, as another tab or the next visit has it. */
export async function openSession(
  service: TestService,
  tenant: TestTenant,
  storage: TestStorage,
): Promise<TestSession> {
  const recorded = recordedClient(service, tenant)
  const session = createSession(recorded.client, { storage })
  await session.ready()
  return { session, storage, recorded }
}

/** A session of a person over a new storage; the sign-in is not recorded. */
export async function signedInSession(service: TestService, tenant: TestTenant, person: Person): Promise<TestSession> {
  const opened = await openSession(service, tenant, testStorage())
  await opened.session.client.signIn({ method: 'password', email: person.email, password: person.password })
  opened.recorded.sent.length = 0
  return opened
}

/** The id of the signed-in user, or the state. */
export const userOf = ({ state }: Session) => (state.status === 'signedIn' ? state.user.id : state)

/** How many of the requests refresh a session. */
export const refreshes = (sent: readonly string[]): number =>
  sent.filter((line) => line === 'POST /auth/refresh').length

/** The stored session. */
export const storedIn = ({ items }: TestStorage) => JSON.parse([...items.values()][0]!)
