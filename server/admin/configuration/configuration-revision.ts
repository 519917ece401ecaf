import { hash } from 'node:crypto'
import type { StoredConfiguration } from '../../tenants/tenant.ts'

/** Bytes of the digest that fit into a number. */
const bytes = 6

/**
 * The revision of a stored configuration, from its content: the revision of the tenant would also change with its name and
 * its profile schema, and refuse changes that overwrite nothing. 0: none is stored.
 */
export function configurationRevision(modules: StoredConfiguration['modules']): number {
  if (modules === null) return 0
  return hash('sha256', JSON.stringify(modules), 'buffer').readUIntBE(0, bytes) + 1
}
