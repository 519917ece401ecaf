import type { FastifyBaseLogger } from 'fastify'
import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import type { SenderSettings } from '../../contract/senders/delivery-senders.ts'
import { senderNames } from '../../contract/senders/sender-names.ts'
import type { Clock } from '../core/clock.ts'
import { isSameRevision, type TenantRevision } from '../core/same-revision.ts'
import { type Keyring, SealBroken } from '../secrets/keyring.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { type Provider, type ProviderState, TemporaryFailure } from './provider.ts'
import { ProviderChain } from './provider-chain.ts'
import { openSecrets, type SealedDelivery } from './sender-secrets.ts'

interface TenantProvidersOptions {
  readonly keyring: Keyring
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  /** For tenants that configure no sender of a method. */
  readonly deploymentProviders: readonly Provider[]
  /** @throws Error that says why these settings can never send here, without secrets */
  createProvider(settings: SenderSettings, name: string, method: DeliveryMethod): Provider
}

type Chains = Readonly<Record<DeliveryMethod, ProviderChain>>

interface TenantChains extends TenantRevision {
  readonly chains: Partial<Record<DeliveryMethod, ProviderChain>>
}

const mostTenants = 500
const methods = ['email', 'sms'] as const

/** What to do when no master key opens the secrets of a tenant's senders. */
export const lostSecrets =
  'The secrets of these senders cannot be opened with the master keys: bring back the key they were sealed with, or store them again'

/**
 * The provider chains of tenants with senders, created from their configuration when first used, and those of the
 * deployment. The chains of the tenants that were not used for longest are closed.
 */
export class TenantProviders {
  readonly #options: TenantProvidersOptions
  readonly #ofDeployment: Chains
  readonly #ofTenants = new Map<string, TenantChains>()

  constructor(options: TenantProvidersOptions) {
    this.#options = options
    this.#ofDeployment = { email: this.#deploymentChain('email'), sms: this.#deploymentChain('sms') }
  }

  /** Whether `chainFor` has a provider. Opens no secrets: another process may have the master key for them. */
  has(method: DeliveryMethod, tenant: TenantSnapshot): boolean {
    this.#discardOutdated(tenant)
    const { delivery } = tenant.configuration
    return (delivery[method]?.length ?? 0) > 0 || this.#ofDeployment[method].providers.length > 0
  }

  /**
   * The tenant's own chain, or the deployment's when the tenant configures no sender of the method.
   * @throws SealBroken when no master key opens the secrets of the tenant's senders of the method
   */
  chainFor(method: DeliveryMethod, tenant: TenantSnapshot): ProviderChain {
    return this.#chainOf(method, tenant) ?? this.#ofDeployment[method]
  }

  /** The number of open circuits, of the deployment and all tenants. */
  openCircuits(method: DeliveryMethod): number {
    const chains = [this.#ofDeployment[method], ...Array.from(this.#ofTenants.values(), (one) => one.chains[method])]
    return chains.reduce((sum, chain) => sum + (chain?.openCircuits ?? 0), 0)
  }

  /** The providers of the tenant in order of preference. Those whose secrets no master key opens cannot send. */
  states(tenant: TenantSnapshot): ProviderState[] {
    return methods.flatMap((method) => {
      try {
        return this.chainFor(method, tenant).states
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        const circuit = { openUntil: null, lastError: lostSecrets }
        return senderNames(tenant.configuration.delivery[method] ?? []).map((name) => ({ name, method, circuit }))
      }
    })
  }

  async close(): Promise<void> {
    for (const [tenantId, chains] of this.#ofTenants) this.#discard(tenantId, chains)
    await Promise.all(Object.values(this.#ofDeployment).map((chain) => chain.close()))
  }

  #deploymentChain(method: DeliveryMethod): ProviderChain {
    const { deploymentProviders, clock } = this.#options
    return new ProviderChain(
      deploymentProviders.filter((provider) => provider.method === method),
      clock,
    )
  }

  /** Chains are replaced with the tenant's configuration; new chains start with closed circuits. */
  #discardOutdated({ tenant }: TenantSnapshot): void {
    const chains = this.#ofTenants.get(tenant.id)
    if (chains === undefined || isSameRevision(chains, tenant)) return
    this.#discard(tenant.id, chains)
  }

  #chainOf(method: DeliveryMethod, snapshot: TenantSnapshot): ProviderChain | undefined {
    this.#discardOutdated(snapshot)
    const { id, revision, updatedAt } = snapshot.tenant
    const { delivery, senderSecrets: secrets } = snapshot.configuration
    const senders = delivery[method] ?? []
    if (senders.length === 0) return undefined
    const own = this.#ofTenants.get(id) ?? { revision, updatedAt, chains: {} }
    // Only the secrets of this method: those of the other one may not open.
    const sealed = { delivery: { ...delivery, email: undefined, sms: undefined, [method]: senders }, secrets }
    own.chains[method] ??= this.#tenantChain(method, sealed, id)
    // Last in the order of the map: the first is the one not used for longest.
    this.#ofTenants.delete(id)
    this.#ofTenants.set(id, own)
    const oldest = this.#ofTenants.entries().next().value
    if (this.#ofTenants.size > mostTenants && oldest !== undefined) this.#discard(...oldest)
    return own.chains[method]
  }

  #tenantChain(method: DeliveryMethod, sealed: SealedDelivery, tenantId: string): ProviderChain {
    const senders: readonly SenderSettings[] = openSecrets(sealed, this.#options.keyring, tenantId)[method] ?? []
    const providers = senders.map((settings) => {
      const name = settings.name ?? settings.type
      try {
        return this.#options.createProvider(settings, name, method)
      } catch (error) {
        return unusableProvider(name, method, (error as Error).message)
      }
    })
    return new ProviderChain(providers, this.#options.clock)
  }

  #discard(tenantId: string, { chains }: TenantChains): void {
    this.#ofTenants.delete(tenantId)
    for (const chain of Object.values(chains)) {
      chain
        .close()
        .catch((error: unknown) =>
          this.#options.logger.warn({ tenantId, err: error }, "failed to close a tenant's provider"),
        )
    }
  }
}

/** Reports why its settings cannot send, while the tenant's other providers are used. */
function unusableProvider(name: string, method: DeliveryMethod, reason: string): Provider {
  return {
    name,
    method,
    send: () => Promise.reject(new TemporaryFailure(reason)),
    async close() {},
  }
}
