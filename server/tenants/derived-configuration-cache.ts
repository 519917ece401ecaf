import { LruCache } from '../core/lru-cache.ts'
import type { ConfigurationDocument } from './configuration-document.ts'
import { DerivedConfigurations, type Wanted } from './derived-configurations.ts'
import type { TenantStore } from './tenant.ts'
import type { TenantSnapshot } from './tenant-snapshot.ts'

interface Cached {
  readonly derived: DerivedConfigurations
  /** Of `derived` when it was cached, which grows with what clients ask for. */
  readonly bytes: number
}

/** Derived configurations of the most recently used tenants, limited in bytes. */
export class DerivedConfigurationCache {
  readonly #tenants: LruCache<Cached>

  constructor(capacity = 32_000_000) {
    this.#tenants = new LruCache(capacity, ({ bytes }) => bytes)
  }

  get bytes(): number {
    return this.#tenants.size
  }

  /** @param plain the configuration with the whole schema in all languages */
  async find(
    snapshot: TenantSnapshot,
    plain: ConfigurationDocument,
    wanted: Wanted,
    store: TenantStore,
  ): Promise<ConfigurationDocument> {
    const { id } = snapshot.tenant
    const derived = this.#of(snapshot, plain)
    const document = await derived.find(wanted, store)
    // It may have been evicted meanwhile.
    if (this.#tenants.peek(id)?.derived === derived) this.#tenants.set(id, { derived, bytes: derived.bytes })
    return document
  }

  #of(snapshot: TenantSnapshot, plain: ConfigurationDocument): DerivedConfigurations {
    const { id } = snapshot.tenant
    const known = this.#tenants.get(id)?.derived
    if (known?.snapshot === snapshot) return known
    const derived = new DerivedConfigurations(snapshot, plain)
    this.#tenants.set(id, { derived, bytes: 0 })
    return derived
  }
}
