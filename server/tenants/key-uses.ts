/** The last use of each key, collected in memory, so that a request causes no write. */
export interface KeyUses {
  record(keyId: string, now: number): void
  /** Writes the collected uses; keeps those that could not be written for the next time. */
  flush(): Promise<void>
}

/** What stores when keys were last used. */
interface KeyRows {
  touchKeys(uses: ReadonlyMap<string, number>): Promise<void>
}

export function createKeyUses(keys: KeyRows): KeyUses {
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
        await keys.touchKeys(noted)
      } catch (error) {
        uses = new Map([...noted, ...uses])
        throw error
      }
    },
  }
}
