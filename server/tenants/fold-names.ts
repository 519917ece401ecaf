import type { TenantDirectory } from './tenant.ts'

/** Few, so that a read is short. */
const batch = 200

/**
 * The background work that makes tenants of an earlier version searchable by their names: once per process, because a
 * process of that version may have stored or renamed one until this one started.
 */
export function createNameFolding(tenants: Pick<TenantDirectory, 'foldNames'>): () => Promise<void> {
  let after: string | null = ''
  return async () => {
    while (after !== null) after = await tenants.foldNames(after, batch)
  }
}
