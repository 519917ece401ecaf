import type { FastifyBaseLogger } from 'fastify'
import type { SenderSettings } from '../../contract/delivery-senders.ts'
import type { DeliveryMethod } from '../../contract/otp.ts'
import type { Clock } from '../core/clock.ts'
import { type Keyring, SealBroken } from '../secrets/keyring.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { DeliveryJob, DeliveryReceipt, MessageTransport, Probed } from './message-transport.ts'
import { offerMessage } from './offer-message.ts'
import { probeSenders } from './probe-senders.ts'
import { PermanentFailure, type Provider, TemporaryFailure } from './provider.ts'
import { createProviderChain, type ProviderChain } from './provider-chain.ts'
import { openSecrets } from './sender-secrets.ts'
import { dayOf } from './sms-spending.ts'

/** What sending for real needs. */
export interface ProviderTransportOptions {
  readonly storage: Storage
  readonly keyring: Keyring
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  /** The deployment's own, for tenants that have none of a method. */
  readonly deploymentProviders: readonly Provider[]
  /** Makes a tenant's sender. @throws Error in plain words for settings that could never send here */
  createProvider(settings: SenderSettings, name: string, method: DeliveryMethod): Provider
}

type Chains = Readonly<Record<DeliveryMethod, ProviderChain>>

interface TenantChains {
  readonly revision: number
  readonly chains: Partial<Chains>
}

const mostTenants = 500

const secretsLost =
  'The secrets of these senders cannot be opened with the master keys: bring back the key they were sealed with, or store them again'

/** Sends through the tenant's senders in their order, or the deployment's where it has none of the method (design 8). */
export function createProviderTransport(options: ProviderTransportOptions): MessageTransport {
  const { storage, keyring, clock, logger, deploymentProviders } = options
  const deploymentChains: Chains = { email: deploymentChain('email'), sms: deploymentChain('sms') }
  const tenantChains = new Map<string, TenantChains>()

  function deploymentChain(method: DeliveryMethod): ProviderChain {
    return createProviderChain(
      deploymentProviders.filter((provider) => provider.method === method),
      clock,
    )
  }

  /** A tenant's chains live as long as its configuration; changed settings begin with closed breakers. */
  function chainsOf({ tenant, configuration }: TenantSnapshot): Partial<Chains> {
    const known = tenantChains.get(tenant.id)
    if (known?.revision === tenant.revision) return known.chains
    if (known !== undefined) forget(tenant.id, known)
    const { delivery, senderSecrets } = configuration
    const opened = openSecrets({ delivery, secrets: senderSecrets }, keyring, tenant.id)
    const chains: Partial<Chains> = {
      ...(opened.email?.length && { email: tenantChain(opened.email, 'email') }),
      ...(opened.sms?.length && { sms: tenantChain(opened.sms, 'sms') }),
    }
    tenantChains.set(tenant.id, { revision: tenant.revision, chains })
    const oldest = tenantChains.entries().next().value
    if (tenantChains.size > mostTenants && oldest !== undefined) forget(...oldest)
    return chains
  }

  function tenantChain(settings: readonly SenderSettings[], method: DeliveryMethod): ProviderChain {
    return createProviderChain(
      settings.map((one) => createProvider(one, one.name ?? one.type, method)),
      clock,
    )
  }

  /** One that its settings never let send is there to say why: the tenant's others go on. */
  function createProvider(settings: SenderSettings, name: string, method: DeliveryMethod): Provider {
    try {
      return options.createProvider(settings, name, method)
    } catch (error) {
      return unusableProvider(name, method, (error as Error).message)
    }
  }

  function forget(tenantId: string, { chains }: TenantChains): void {
    tenantChains.delete(tenantId)
    for (const chain of Object.values(chains)) {
      chain.close().catch((error: unknown) => logger.warn({ tenantId, err: error }, 'a sender could not be closed'))
    }
  }

  const chainFor = (method: DeliveryMethod, tenant: TenantSnapshot): ProviderChain =>
    chainsOf(tenant)[method] ?? deploymentChains[method]

  /** null when they cannot be made for want of their secrets. */
  function openProviders(method: DeliveryMethod, tenant: TenantSnapshot): readonly Provider[] | null {
    try {
      return chainFor(method, tenant).providers
    } catch (error) {
      if (error instanceof SealBroken) return null
      throw error
    }
  }

  /**
   * An SMS is counted against the budget of the day before it is sent, and given back when nobody took it. Notices are
   * sent past a budget that is not 0: or whoever uses it up would keep a user from learning what was done to their account.
   */
  async function withinBudget<T>(
    method: DeliveryMethod,
    tenant: TenantSnapshot,
    now: number,
    isNotice: boolean,
    send: () => Promise<T>,
  ): Promise<T> {
    if (method !== 'sms') return send()
    const { smsDailyBudget } = tenant.configuration.delivery
    if (isNotice && smsDailyBudget > 0) return send()
    const spending = storage.forTenant(tenant.tenant.id).smsSpending
    if (!(await spending.spend(dayOf(now), smsDailyBudget))) {
      logger.warn({ tenantId: tenant.tenant.id, day: dayOf(now) }, 'the SMS budget of a tenant is used up for the day')
      throw new PermanentFailure('The SMS budget of the day is used up')
    }
    try {
      return await send()
    } catch (error) {
      await spending.giveBack(dayOf(now))
      throw error
    }
  }

  return {
    canDeliver: (method, tenant) => chainFor(method, tenant).providers.length > 0,

    async deliver({ message, rendered, tenant }: DeliveryJob, now, signal): Promise<DeliveryReceipt> {
      const chain = chainFor(rendered.method, tenant)
      // Somebody may set one up before the code expires.
      if (chain.providers.length === 0) throw new TemporaryFailure(`No sender of ${rendered.method} is set up`)
      return {
        sender: await withinBudget(rendered.method, tenant, now, message.kind !== 'otp', () =>
          chain.send(rendered, signal),
        ),
      }
    },

    async probe(rendered, tenant, only, now): Promise<Probed> {
      const { method } = rendered
      const senders = openProviders(method, tenant)
      if (senders === null) return { attempts: [], problem: secretsLost }
      return probeSenders(senders, rendered, only, (sender, message) =>
        withinBudget(method, tenant, now, false, () => offerMessage(sender, message)),
      )
    },

    openCircuits(method) {
      const chains = [deploymentChains[method], ...Array.from(tenantChains.values(), (tenant) => tenant.chains[method])]
      return chains.reduce((sum, chain) => sum + (chain?.openCircuits ?? 0), 0)
    },

    async close() {
      for (const [id, chains] of tenantChains) forget(id, chains)
      await Promise.all(Object.values(deploymentChains).map((chain) => chain.close()))
    },
  }
}

function unusableProvider(name: string, method: DeliveryMethod, reason: string): Provider {
  return {
    name,
    method,
    send: () => Promise.reject(new TemporaryFailure(reason)),
    async close() {},
  }
}
