import type { TenantDirectory } from './tenant.ts'

/** The last use of each tenant key, collected in memory, so that a request causes no write. */
export interface KeyUses {
  record(keyId: string, now: number): void
  /** Writes the collected uses; keeps those that could not be written for the next time. */
  flush(): Promise<void>
}

export function createKeyUses(tenants: Pick<TenantDirectory, 'touchKeys'>): KeyUses {
  let uses = new Map<string, number>()
  return {
    record(keyId, now) {
      uses.set(keyId, now)
    },
    async flush() {
      if (uses.size === 0) return
      const noted = uses
      uses = new Map()
      try {
        await tenants.touchKeys(noted)
      } catch (error) {
        uses = new Map([...noted, ...uses])
        throw error
      }
    },
  }
}
