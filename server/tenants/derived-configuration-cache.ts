import type { ConfigurationDocument } from './configuration-document.ts'
import { DerivedConfigurations, type Wanted } from './derived-configurations.ts'
import type { TenantStore } from './tenant.ts'
import type { TenantSnapshot } from './tenant-snapshot.ts'

interface Cached {
  readonly derived: DerivedConfigurations
  /** Its part of the cache's bytes. */
  bytes: number
}

/** Derived configurations of the most recently used tenants, limited in bytes. */
export class DerivedConfigurationCache {
  readonly #capacity: number
  readonly #tenants = new Map<string, Cached>()
  #bytes = 0

  constructor(capacity = 32_000_000) {
    this.#capacity = capacity
  }

  get bytes(): number {
    return this.#bytes
  }

  /** @param plain the configuration with the whole schema in all languages */
  async find(
    snapshot: TenantSnapshot,
    plain: ConfigurationDocument,
    wanted: Wanted,
    store: TenantStore,
  ): Promise<ConfigurationDocument> {
    const cached = this.#of(snapshot, plain)
    const document = await cached.derived.find(wanted, store)
    this.#count(snapshot.tenant.id, cached)
    return document
  }

  #of(snapshot: TenantSnapshot, plain: ConfigurationDocument): Cached {
    const { id } = snapshot.tenant
    const known = this.#tenants.get(id)
    if (known?.derived.snapshot === snapshot) {
      // Maps iterate in the order of insertion, so the least recently used comes first.
      this.#tenants.delete(id)
      this.#tenants.set(id, known)
      return known
    }
    this.#forget(id)
    const made = { derived: new DerivedConfigurations(snapshot, plain), bytes: 0 }
    this.#tenants.set(id, made)
    return made
  }

  #count(tenantId: string, cached: Cached): void {
    // It may have been evicted meanwhile.
    if (this.#tenants.get(tenantId) !== cached) return
    const { bytes } = cached.derived
    this.#bytes += bytes - cached.bytes
    cached.bytes = bytes
    for (const oldest of this.#tenants.keys()) {
      if (this.#bytes <= this.#capacity || this.#tenants.size === 1) return
      this.#forget(oldest)
    }
  }

  #forget(tenantId: string): void {
    this.#bytes -= this.#tenants.get(tenantId)?.bytes ?? 0
    this.#tenants.delete(tenantId)
  }
}
