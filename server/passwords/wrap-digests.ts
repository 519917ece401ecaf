import type { FastifyBaseLogger } from 'fastify'
import { BackgroundPass } from '../core/background-pass.ts'
import { TenantPass } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import type { PasswordHasher } from './password-hasher.ts'

/** The background task that wraps the fast digests of imports with argon2id. */
export type DigestWrapping = BackgroundPass

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
  /** @returns the id of the last user read; null when there was none */
  async function wrapBatch(tenantId: string, after: string, stopping: AbortSignal): Promise<string | null> {
    const { users } = storage.forTenant(tenantId)
    const found = await users.fastDigests(after, batch)
    for (const { id, passwordHash } of found) {
      if (stopping.aborted) return null
      const wrapped = await hasher.wrap(passwordHash, { tenantId, gone: () => stopping })
      // null: the digest is malformed. It matches nothing, and stays for an operator to inspect.
      if (wrapped !== null) await users.rehashPassword(id, passwordHash, wrapped)
    }
    return found.at(-1)?.id ?? null
  }

  async function pass(stopping: AbortSignal): Promise<void> {
    /** Per tenant, the id of the last user read in this pass. */
    const reached = new Map<string, string>()
    const failed = new Set<string>()
    const tenants = new TenantPass(storage)
    let isDone = false
    while (!isDone) {
      isDone = true
      let tenantId = await storage.system.nextFastDigests('')
      while (tenantId !== null && !stopping.aborted) {
        const id = tenantId
        const wrapped = await tenants.attempt(id, async () => {
          const last = failed.has(id) ? null : await wrapBatch(id, reached.get(id) ?? '', stopping)
          if (last === null) return
          reached.set(id, last)
          isDone = false
        })
        if (!wrapped) failed.add(id)
        tenantId = await storage.system.nextFastDigests(id)
      }
    }
    tenants.end()
  }

  return new BackgroundPass({ task: digestTask, pass, logger, onSuccess })
}
