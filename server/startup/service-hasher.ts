import { createPasswordHasher, type PasswordHasher } from '../passwords/password-hasher.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'

/** The hasher of a deployment; it warns of stored hashes beyond its memory. */
export function createServiceHasher({ hashMemoryMiB, logger }: ServiceSettings): PasswordHasher {
  return createPasswordHasher({
    ...(hashMemoryMiB !== undefined && { budgetMiB: hashMemoryMiB }),
    onOverBudget: (details) =>
      logger.warn(
        details,
        'stored password hash needs more memory than TENANTRY_HASH_MEMORY allows; sign-in refused as a wrong password',
      ),
  })
}
