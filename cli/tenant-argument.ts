import type { Command } from 'commander'
import type { Tenant } from '../contract/admin/tenants.ts'
import type { TenantryAdmin } from '../packages/client/src/admin.ts'
import { allPages } from './all-pages.ts'
import { list, shown } from './terminal/layout.ts'
import { CommandFailure, type Terminal } from './terminal/terminal.ts'

/** A command of one tenant; absent where `TENANTRY_TENANT` names it. */
export interface OfTenant {
  readonly tenant?: string
}

/** `--tenant`; `tenantNamed` requires it or the variable. */
export const tenantOption = ['--tenant <tenant>', 'name or id of the tenant (default: TENANTRY_TENANT)'] as const

/** The tenant of a command as typed, or else of `TENANTRY_TENANT`. */
export function tenantNamed(typed: string | undefined, command: Command, { env }: Terminal): string {
  const named = typed ?? env['TENANTRY_TENANT']
  if (named === undefined || (typed === undefined && named.trim() === '')) {
    const argument = command.registeredArguments.some((one) => one.name() === 'tenant') ? 'argument' : '--tenant'
    return command.error(`error: no tenant specified; name it as ${argument}, or set TENANTRY_TENANT`)
  }
  return named
}

/** Code points: no name is longer. */
const longestSearch = 200

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/**
 * The id of a tenant given by name or id. An id is used as it is, so that no tenant can take the place of another one by
 * its name. Names are compared exactly, and without regard to case when none is equal.
 * @throws CommandFailure if the name is empty, or no tenant or several tenants have it
 */
export async function findTenantId(named: string, admin: TenantryAdmin): Promise<string> {
  // As `--tenant "$ACME"` with an unset variable gives.
  if (named.trim() === '') throw new CommandFailure('The tenant is empty. Specify its name or id.')
  if (ulid.test(named)) return named
  const q = Array.from(named).slice(0, longestSearch).join('')
  const tenants = await allPages((query) => admin.listTenants({ ...query, q }))
  const exact = tenants.filter(({ name }) => name === named)
  const found = exact.length > 0 ? exact : tenants.filter(({ name, id }) => isSame(name, named) || isSame(id, named))
  if (found.length > 1) throw ambiguous(named, found)
  if (found[0] === undefined) {
    throw new CommandFailure(
      `No tenant has the name or id "${shown(named)}". Run "tenantry tenant list" to see all tenants.`,
    )
  }
  return found[0].id
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const ambiguous = (named: string, found: readonly Tenant[]): CommandFailure =>
  new CommandFailure(
    `${found.length} tenants have the name "${shown(named)}". Use the id of one of them:\n${list(found.map(({ id, name }) => [id, name]))}`,
  )
