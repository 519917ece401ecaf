import type { SenderAttempt, TestMessageReport } from '../../contract/admin/delivery.ts'
import { SealBroken } from '../secrets/keyring.ts'
import type { Inbox } from './inbox.ts'
import type { DeliveryJob, MessageTransport } from './message-transport.ts'
import { PermanentFailure, type Provider, TemporaryFailure } from './provider.ts'
import { sendWithTimeout } from './send-with-timeout.ts'
import type { SmsBudget } from './sms-budget.ts'
import { lostSecrets, type TenantProviders } from './tenant-providers.ts'

/** Sends an operator's test message at once, without the outbox. */
export interface TestMessages {
  /** @param sender the name of the only sender to try; null for all of the tenant's senders */
  send(job: DeliveryJob, sender: string | null, now: number): Promise<TestMessageReport>
}

/**
 * Sends through each of the tenant's providers in parallel, because a fallback provider is otherwise not used before the
 * day it is needed. Ignores circuit breakers and does not count as a failure for them.
 */
export class ProviderTestMessages implements TestMessages {
  readonly #providers: TenantProviders
  readonly #smsBudget: SmsBudget

  constructor(providers: TenantProviders, smsBudget: SmsBudget) {
    this.#providers = providers
    this.#smsBudget = smsBudget
  }

  async send(job: DeliveryJob, sender: string | null, now: number): Promise<TestMessageReport> {
    const { method } = job.rendered
    const providers = this.#providersFor(job)
    if (providers === null) return failed(lostSecrets)
    if (providers.length === 0) return failed(`No sender of ${method} is set up`)
    const chosen = providers.filter(({ name }) => sender === null || name === sender)
    if (chosen.length === 0) {
      const names = providers.map(({ name }) => name).join(', ')
      return failed(`No sender of ${method} has this name. There are: ${names}`)
    }
    return report(await Promise.all(chosen.map((provider, index) => this.#attempt(provider, index, job, now))))
  }

  /** null when no master key opens their secrets. */
  #providersFor({ rendered, tenant }: DeliveryJob): readonly Provider[] | null {
    try {
      return this.#providers.chainFor(rendered.method, tenant).providers
    } catch (error) {
      if (error instanceof SealBroken) return null
      throw error
    }
  }

  async #attempt(
    provider: Provider,
    index: number,
    { rendered, tenant }: DeliveryJob,
    now: number,
  ): Promise<SenderAttempt> {
    // Distinct ids, because mailboxes that deduplicate by id would show one message for two working providers.
    const send = () => sendWithTimeout(provider, { ...rendered, id: `${rendered.id}-${index + 1}` })
    try {
      await (rendered.method === 'sms' ? this.#smsBudget.charge(tenant, now, send) : send())
      return { sender: provider.name, problem: null }
    } catch (error) {
      if (!(error instanceof PermanentFailure || error instanceof TemporaryFailure)) throw error
      return { sender: provider.name, problem: error.message }
    }
  }
}

/** Posts test messages to the testing channel. */
export class InboxTestMessages implements TestMessages {
  readonly #transport: MessageTransport
  readonly #inbox: Inbox

  constructor(transport: MessageTransport, inbox: Inbox) {
    this.#transport = transport
    this.#inbox = inbox
  }

  async send(job: DeliveryJob, _sender: string | null, now: number): Promise<TestMessageReport> {
    const { inboxEntry } = await this.#transport.deliver(job, now)
    if (inboxEntry !== undefined) await this.#inbox.post([inboxEntry])
    return { delivered: true, sender: null, problem: null, attempts: [] }
  }
}

const failed = (problem: string): TestMessageReport => ({ delivered: false, sender: null, problem, attempts: [] })

function report(attempts: SenderAttempt[]): TestMessageReport {
  const accepted = attempts.find(({ problem }) => problem === null)
  if (accepted !== undefined) return { delivered: true, sender: accepted.sender, problem: null, attempts }
  return { ...failed(attempts.map(({ sender, problem }) => `${sender}: ${problem}`).join('; ')), attempts }
}
