import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import type { ClaimedMessage } from './outbox.ts'

const laneName = (tenantId: string, method: DeliveryMethod): string => `${tenantId} ${method}`

/** Messages of one tenant and method share a lane. */
const laneOf = ({ tenantId, deliveryMethod }: ClaimedMessage): string => laneName(tenantId, deliveryMethod)

/** A claimed message. `leaseUntil` in epoch milliseconds. */
export interface LeasedMessage extends ClaimedMessage {
  readonly leaseUntil: number
}

interface Lane {
  active: number
  readonly waiting: LeasedMessage[]
}

/** Limits the messages sent in parallel per lane, so that one tenant's slow provider does not delay others (threat G10). */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #width: number
  readonly #send: (message: LeasedMessage) => Promise<void>

  /**
   * @param width messages sent in parallel per lane
   * @param send never rejects
   */
  constructor(width: number, send: (message: LeasedMessage) => Promise<void>) {
    this.#width = width
    this.#send = send
  }

  /** Sends a message now or when its lane has room. */
  add(message: LeasedMessage): void {
    const name = laneOf(message)
    const lane = this.#lanes.get(name) ?? { active: 0, waiting: [] }
    this.#lanes.set(name, lane)
    lane.waiting.push(message)
    this.#fill(name, lane)
  }

  /** Lanes with waiting messages, for which no more should be claimed. */
  full(): string[] {
    return [...this.#lanes].filter(([, lane]) => lane.waiting.length > 0).map(([name]) => name)
  }

  /** The number of messages in these lanes, both waiting and being sent. */
  heldIn(names: readonly string[]): number {
    const sizes = names
      .map((name) => this.#lanes.get(name))
      .map((lane) => (lane ? lane.active + lane.waiting.length : 0))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  /** The number of a tenant's messages that wait in a lane: in the longer one of its two. */
  waitingOf(tenantId: string): number {
    const waiting = (method: DeliveryMethod) => this.#lanes.get(laneName(tenantId, method))?.waiting.length ?? 0
    return Math.max(waiting('email'), waiting('sms'))
  }

  #fill(name: string, lane: Lane): void {
    while (lane.active < this.#width) {
      const message = lane.waiting.shift()
      if (message === undefined) break
      lane.active++
      void this.#send(message).then(() => {
        lane.active--
        this.#fill(name, lane)
      })
    }
    if (lane.active === 0) this.#lanes.delete(name)
  }
}
