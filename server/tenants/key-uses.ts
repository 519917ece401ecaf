import type { TenantDirectory } from './tenant.ts'

/** When tenant keys were last used; collected in memory, so that a request costs no write. */
export interface KeyUses {
  record(keyId: string, now: number): void
  /** Writes the collected uses. Uses that could not be written are kept for the next time. */
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
