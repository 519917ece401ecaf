import type { AdminCall } from '../core/call.ts'
import { record } from '../events/record.ts'
import { aTenant } from '../events/subjects.ts'
import type { Storage } from '../storage/storage.ts'

const everyMs = 60_000
/** Operators and tenants remembered. One more forgets all of them, which records some reads once more. */
const most = 10_000

/** Records that an operator reads codes of a tenant, at most once a minute and process. */
export class CodeReads {
  readonly #storage: Storage
  readonly #recorded = new Map<string, { readonly at: number; readonly done: Promise<void> }>()

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Resolves when the read is recorded: show the codes afterwards. */
  async note(call: AdminCall, tenantId: string, now: number): Promise<void> {
    const key = `${call.operator.id} ${tenantId}`
    const known = this.#recorded.get(key)
    // Absolute, because the clock may have been set back.
    if (known !== undefined && Math.abs(now - known.at) < everyMs) return known.done
    if (this.#recorded.size >= most) this.#recorded.clear()
    const fact = { type: 'codes.read', subject: aTenant(tenantId) } as const
    const done = this.#storage.forTenant(tenantId).write((tx) => record(tx, { ...call, now }, fact))
    this.#recorded.set(key, { at: now, done })
    try {
      await done
    } catch (error) {
      this.#recorded.delete(key)
      throw error
    }
  }
}
