import { Argument, type Command } from 'commander'
import type { Tenant } from '../contract/admin-tenants.ts'
import { type Capability, tenantCapabilities } from '../contract/capabilities.ts'
import type { TenantryClient } from '../packages/client/src/index.ts'
import { allPages, answer } from './answer.ts'
import { requireYes } from './deletion.ts'
import { list, shown, table } from './layout.ts'
import { noneOption, requireRestrictions } from './restrictions.ts'
import type { Terminal } from './terminal.ts'

/** `tenantry tenant …` */
export function addTenantCommands(program: Command, terminal: Terminal): void {
  const tenant = program.command('tenant').description('manage the tenants of a server')

  tenant
    .command('create')
    .description('create a tenant')
    .requiredOption('--name <name>', 'display name')
    .action(({ name }: { name: string }, command: Command) =>
      answer(command, terminal, (admin) => admin.createTenant({ name }), describe),
    )

  tenant
    .command('list')
    .description('list all tenants')
    .action((_options, command: Command) =>
      answer(command, terminal, listAll, (tenants) =>
        table(tenants, columns, 'There are no tenants. Create one with "tenantry tenant create --name <name>".'),
      ),
    )

  tenant
    .command('show')
    .description('show a tenant')
    .argument('<tenant>', 'id of the tenant')
    .action((tenantId: string, _options, command: Command) =>
      answer(command, terminal, (admin) => admin.getTenant({ tenantId }), describe),
    )

  const update = (tenantId: string, changes: Parameters<TenantryClient['updateTenant']>[1], command: Command) =>
    answer(command, terminal, (admin) => admin.updateTenant({ tenantId }, changes), describe)

  tenant
    .command('suspend')
    .description('reject all requests with its keys until it is resumed')
    .argument('<tenant>', 'id of the tenant')
    .action((tenantId: string, _options, command: Command) => update(tenantId, { suspended: true }, command))

  tenant
    .command('resume')
    .description('end a suspension')
    .argument('<tenant>', 'id of the tenant')
    .action((tenantId: string, _options, command: Command) => update(tenantId, { suspended: false }, command))

  tenant
    .command('restrict')
    .description('set the restricted capabilities of a tenant')
    .argument('<tenant>', 'id of the tenant')
    .addArgument(
      new Argument('[capability...]', 'the complete list of restricted capabilities').choices(tenantCapabilities),
    )
    .option(...noneOption)
    .action((tenantId: string, named: Capability[], { none }: { none?: true }, command: Command) =>
      update(tenantId, { restrictedCapabilities: requireRestrictions(named, none, command) }, command),
    )

  tenant
    .command('delete')
    .description('delete a tenant with all its data')
    .argument('<tenant>', 'id of the tenant')
    .option('--yes', 'confirm the deletion')
    .action((tenantId: string, { yes }: { yes?: true }, command: Command) => {
      requireYes(yes, `tenant ${shown(tenantId)} with all its users, profiles and keys`)
      return answer(
        command,
        terminal,
        (admin) => admin.deleteTenant({ tenantId }),
        () => `Deleted tenant ${shown(tenantId)}. Its keys are revoked; its data is deleted in the background.`,
      )
    })
}

const listAll = (admin: TenantryClient) => allPages((query) => admin.listTenants(query))

const columns = {
  ID: (tenant: Tenant) => tenant.id,
  NAME: (tenant: Tenant) => tenant.name,
  SUSPENDED: (tenant: Tenant) => tenant.suspended,
  RESTRICTED: (tenant: Tenant) => tenant.restrictedCapabilities,
  CREATED: (tenant: Tenant) => tenant.createdAt,
}

const describe = (tenant: Tenant): string =>
  list([
    ['id', tenant.id],
    ['name', tenant.name],
    ['suspended', tenant.suspended],
    ['restricted', tenant.restrictedCapabilities],
    ['created', tenant.createdAt],
    ['updated', tenant.updatedAt],
  ])
