import { createTenantryClient, type SessionStorage, type TenantryClient } from '../../packages/client/src/index.ts'
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
export interface RecordedClient {
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
