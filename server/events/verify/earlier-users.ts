import type { EventLogStore, LostPart } from '../log/event-log.ts'
import type { SealedEvent } from '../sealed-log.ts'

/** Limits the memory of a verification after many users were imported again. */
const mostRemembered = 10_000

/**
 * Tells the erasure of an earlier user from the removal of a personal part: a deleted user can be imported again with the
 * same id. Everything up to the newest deletion, or before the newest creation, is about the earlier user. The creation also
 * explains events whose user was deleted without a record (`events.detail`), or whose deletion was purged before them.
 */
export class EarlierUsers {
  readonly #log: Pick<EventLogStore, 'list'>
  readonly #newest = new Map<string, SealedEvent | null>()

  constructor(log: Pick<EventLogStore, 'list'>) {
    this.#log = log
  }

  /** Whether one of the users of an event was erased after it. */
  async explain({ sequence, at, userIds }: LostPart): Promise<boolean> {
    for (const userId of userIds) {
      const deleted = await this.#newestOf('user.deleted', userId)
      if (deleted !== null && sequence <= deleted.sequence) return true
      const created = await this.#newestOf('user.created', userId)
      // Events of one request have the same time, and are sealed in any order.
      if (created !== null && sequence < created.sequence && at < created.at) return true
    }
    return false
  }

  async #newestOf(type: 'user.deleted' | 'user.created', userId: string): Promise<SealedEvent | null> {
    const key = `${type} ${userId}`
    const known = this.#newest.get(key)
    if (known !== undefined) return known
    if (this.#newest.size >= mostRemembered) this.#newest.clear()
    const newest = await this.#readNewest(type, userId)
    this.#newest.set(key, newest)
    return newest
  }

  async #readNewest(type: string, subjectId: string): Promise<SealedEvent | null> {
    let before: string | null = null
    do {
      const { rows, next } = await this.#log.list({ type, subjectId }, { limit: 1, before })
      if (rows.length > 0) return rows[0]!
      before = next
    } while (before !== null)
    return null
  }
}
