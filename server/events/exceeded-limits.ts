import type { TenantCall } from '../core/call.ts'
import { TenantPass } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import { eventOf } from './record.ts'

/** What the event of a refused request says about its caller. */
export type LimitedCall = Pick<
  TenantCall,
  'now' | 'requestId' | 'key' | 'snapshot' | 'tenantId' | 'address' | 'userAgent'
>

/** A request that a limit refused before its tenant was known. */
interface UnknownCall {
  readonly address: string
  /** Distinguishes tenants, such as the id in the tenant key. */
  readonly key: string
  /** Finds its tenant; null when the tenant key is not valid. */
  find(now: number): Promise<LimitedCall | null>
}

/** Counts the requests that limits refuse, and records the numbers once a minute. */
export interface ExceededLimits {
  note(call: LimitedCall, operation: string): void
  /** As `note`. A flood must cost no statement, so the tenant is looked up once a minute. */
  noteUnknown(call: UnknownCall, operation: string): void
  /**
   * Records what was counted since the last time; keeps what could not be recorded for the next time.
   * @throws TenantsFailed after the pass, when it failed for some tenants
   */
  flush(now: number): Promise<void>
}

interface Counted {
  refused: number
  /** Names the tenant when its event cannot be recorded. */
  readonly tenant: string
  readonly operation: string
  find(now: number): Promise<LimitedCall | null>
}

/** Addresses and operations counted in one minute. Others are counted for their tenant and operation only, or not at all. */
const most = 1_000

export function createExceededLimits(storage: Pick<Storage, 'forTenant' | 'ping'>): ExceededLimits {
  let counted = new Map<string, Counted>()

  /** False when it is not counted: too many others are. */
  function count(name: string, requests: Counted, limit = most): boolean {
    const known = counted.get(name)
    if (known === undefined && counted.size >= limit) return false
    if (known !== undefined) known.refused += requests.refused
    else counted.set(name, requests)
    return true
  }

  async function record({ refused, operation, find }: Counted, now: number): Promise<void> {
    const call = await find(now)
    if (call === null) return
    const event = eventOf(
      { ...call, now },
      {
        type: 'limit.exceeded',
        subject: { kind: 'address', id: null },
        details: { operation, refused },
        refused: 'TOO_MANY_REQUESTS',
      },
    )
    if (event !== null) await storage.forTenant(call.tenantId).events.add(event)
  }

  return {
    note({ now, requestId, key, snapshot, tenantId, address, userAgent }, operation) {
      if (snapshot.configuration.events.detail !== 'all') return
      const call = { now, requestId, key, snapshot, tenantId, address, userAgent }
      const one = { refused: 1, tenant: tenantId, operation }
      if (count(`${tenantId} ${operation} ${address}`, { ...one, find: async () => call })) return
      // One for each tenant and operation, beyond those of single addresses.
      const find = async () => ({ ...call, address: '', userAgent: undefined })
      count(`${tenantId} ${operation}`, { ...one, find }, Infinity)
    },
    noteUnknown({ address, key, find }, operation) {
      count(`${key} ${operation} ${address}`, { refused: 1, tenant: `of key ${key}`, operation, find })
    },
    async flush(now) {
      const ended = counted
      counted = new Map()
      const pass = new TenantPass(storage)
      const failed = new Set<string>()
      try {
        for (const [name, requests] of ended) {
          const { tenant } = requests
          if (failed.has(tenant)) continue
          if (await pass.attempt(tenant, () => record(requests, now))) ended.delete(name)
          else failed.add(tenant)
        }
      } finally {
        for (const [name, requests] of ended) count(name, requests)
      }
      pass.end()
    },
  }
}
