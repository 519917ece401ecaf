import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { DeliveryJob, DeliveryReceipt, MessageTransport } from './message-transport.ts'
import { type ProviderState, TemporaryFailure } from './provider.ts'
import type { SmsBudget } from './sms-budget.ts'
import type { TenantProviders } from './tenant-providers.ts'

/** Sends through the tenant's providers in their order, within the tenant's SMS budget. */
export class ProviderTransport implements MessageTransport {
  readonly #providers: TenantProviders
  readonly #smsBudget: SmsBudget

  constructor(providers: TenantProviders, smsBudget: SmsBudget) {
    this.#providers = providers
    this.#smsBudget = smsBudget
  }

  canDeliver(method: DeliveryMethod, tenant: TenantSnapshot): boolean {
    return this.#providers.has(method, tenant)
  }

  async deliver(job: DeliveryJob, now: number, signal?: AbortSignal): Promise<DeliveryReceipt> {
    const { rendered, tenant } = job
    const chain = this.#providers.chainFor(rendered.method, tenant)
    // Temporary, because an operator may configure one before the code expires.
    if (chain.providers.length === 0) throw new TemporaryFailure(`No sender of ${rendered.method} is set up`)
    const send = () => chain.send(rendered, signal)
    return { sender: await (isCharged(job) ? this.#smsBudget.charge(tenant, now, send) : send()) }
  }

  providerStates(tenant: TenantSnapshot): readonly ProviderState[] {
    return this.#providers.states(tenant)
  }

  openCircuits(method: DeliveryMethod): number {
    return this.#providers.openCircuits(method)
  }

  close(): Promise<void> {
    return this.#providers.close()
  }
}

/**
 * Notices are not charged unless the budget is 0: otherwise an attacker could use the budget up and keep a user from
 * learning about changes to their account.
 */
const isCharged = ({ message, rendered, tenant }: DeliveryJob): boolean =>
  rendered.method === 'sms' && (message.kind === 'otp' || tenant.configuration.delivery.smsDailyBudget === 0)
