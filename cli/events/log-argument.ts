import { type Command, Option } from 'commander'
import type { TenantryAdmin } from '../../packages/client/src/admin.ts'
import { findTenantId } from '../tenant-argument.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** A command on one event log. */
export interface OfLog {
  readonly tenant?: string
  readonly deployment?: true
}

/** Adds `--tenant` and `--deployment`. */
export const addLogOptions = (command: Command): Command =>
  command
    .option('--tenant <tenant>', 'name or id of the tenant (default: TENANTRY_TENANT, or the log of the deployment)')
    .addOption(new Option('--deployment', 'the log of the deployment').conflicts('tenant'))

/** The id of the tenant whose log is meant; null for the log of the deployment. */
export async function findLog(
  { tenant, deployment }: OfLog,
  admin: TenantryAdmin,
  { env }: Terminal,
): Promise<string | null> {
  const named = tenant ?? (env['TENANTRY_TENANT']?.trim() || undefined)
  return deployment || named === undefined ? null : findTenantId(named, admin)
}
