import type { FastifyBaseLogger } from 'fastify'
import { TenantPass } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** The background task that wraps the fast digests of imports with argon2id. */
export interface DigestWrapping {
  /** Starts a pass, or another one after the current pass. Does not wait. */
  wake(): void
  /** Runs a full pass; resolves when every fast digest that existed at its start is processed. */
  run(): Promise<void>
  /** Ends the current pass after its current hash. */
  stop(): Promise<void>
}

/** The name of this task in logs and metrics. */
export const digestTask = 'imported_digests'

/** Rows of one tenant before the next tenant's turn. */
const batch = 20

/**
 * Wraps the fast digests of all tenants, a batch of each in turn, one hash at a time and only while no request waits for a
 * hash (`PasswordHasher.wrap`). A hash that changed since it was read is skipped. The next pass continues an interrupted
 * one. A tenant that fails does not affect the others; errors are logged.
 * @param onSuccess called after each complete pass in which no tenant failed
 */
export function createDigestWrapping(
  storage: Storage,
  hasher: PasswordHasher,
  logger: FastifyBaseLogger,
  onSuccess: () => void = () => {},
): DigestWrapping {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let isWanted = false

  /** @returns the id of the last user read; null when there was none */
  async function wrapBatch(tenantId: string, after: string): Promise<string | null> {
    const { users } = storage.forTenant(tenantId)
    const found = await users.fastDigests(after, batch)
    for (const { id, passwordHash } of found) {
      if (stopping.signal.aborted) return null
      const wrapped = await hasher.wrap(passwordHash, { tenantId, gone: () => stopping.signal })
      // null: the digest is malformed. It matches nothing, and stays for an operator to inspect.
      if (wrapped !== null) await users.rehashPassword(id, passwordHash, wrapped)
    }
    return found.at(-1)?.id ?? null
  }

  async function pass(): Promise<void> {
    /** Per tenant, the id of the last user read in this pass. */
    const reached = new Map<string, string>()
    const failed = new Set<string>()
    const tenants = new TenantPass(storage)
    let isDone = false
    while (!isDone) {
      isDone = true
      let tenantId = await storage.system.nextFastDigests('')
      while (tenantId !== null && !stopping.signal.aborted) {
        const id = tenantId
        const wrapped = await tenants.attempt(id, async () => {
          const last = failed.has(id) ? null : await wrapBatch(id, reached.get(id) ?? '')
          if (last === null) return
          reached.set(id, last)
          isDone = false
        })
        if (!wrapped) failed.add(id)
        tenantId = await storage.system.nextFastDigests(id)
      }
    }
    tenants.end()
    if (!stopping.signal.aborted) onSuccess()
  }

  async function passes(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false
      await pass()
    }
  }

  const run = (): Promise<void> => {
    isWanted = true
    running ??= passes()
      .catch((err) => {
        if (!stopping.signal.aborted)
          logger.error({ task: digestTask, err }, 'housekeeping task failed; retrying in 60 s')
      })
      .finally(() => {
        running = null
      })
    return running
  }

  return {
    wake: () => void run(),
    run,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
