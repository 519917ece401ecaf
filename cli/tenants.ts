import { Argument, type Command } from 'commander'
import type { TenantryClient } from '../client/client.ts'
import type { Tenant } from '../contract/admin-tenants.ts'
import { type Capability, tenantCapabilities } from '../contract/capabilities.ts'
import { allPages, answer } from './answer.ts'
import { requireYes } from './deletion.ts'
import { list, shown, table } from './layout.ts'
import { noneOption, requireRestrictions } from './restrictions.ts'
import type { Terminal } from './terminal.ts'

/** `tenantry tenant …` */
export function addTenantCommands(program: Command, terminal: Terminal): void {
  const tenant = program.command('tenant').description('The tenants of this server')

  tenant
    .command('create')
    .description('create a tenant')
    .requiredOption('--name <name>', 'what people call it')
    .action(({ name }: { name: string }, command: Command) =>
      answer(command, terminal, (admin) => admin.createTenant({ name }), describe),
    )

  tenant
    .command('list')
    .description('list all tenants')
    .action((_options, command: Command) =>
      answer(command, terminal, listAll, (tenants) =>
        table(tenants, columns, 'There is no tenant yet: "tenantry tenant create --name <name>" makes one.'),
      ),
    )

  tenant
    .command('show')
    .description('show a tenant')
    .argument('<tenant>', 'its id')
    .action((tenantId: string, _options, command: Command) =>
      answer(command, terminal, (admin) => admin.getTenant({ tenantId }), describe),
    )

  const update = (tenantId: string, changes: Parameters<TenantryClient['updateTenant']>[1], command: Command) =>
    answer(command, terminal, (admin) => admin.updateTenant({ tenantId }, changes), describe)

  tenant
    .command('suspend')
    .description('refuse every call with its keys until it is resumed')
    .argument('<tenant>', 'its id')
    .action((tenantId: string, _options, command: Command) => update(tenantId, { suspended: true }, command))

  tenant
    .command('resume')
    .description('take calls with its keys again')
    .argument('<tenant>', 'its id')
    .action((tenantId: string, _options, command: Command) => update(tenantId, { suspended: false }, command))

  tenant
    .command('restrict')
    .description('say what the tenant may not do')
    .argument('<tenant>', 'its id')
    .addArgument(new Argument('[capability...]', 'all that is restricted from now on').choices(tenantCapabilities))
    .option(...noneOption)
    .action((tenantId: string, named: Capability[], { none }: { none?: true }, command: Command) =>
      update(tenantId, { restrictedCapabilities: requireRestrictions(named, none, command) }, command),
    )

  tenant
    .command('delete')
    .description('delete a tenant and everything it has')
    .argument('<tenant>', 'its id')
    .option('--yes', 'really')
    .action((tenantId: string, { yes }: { yes?: true }, command: Command) => {
      requireYes(yes, `the tenant ${shown(tenantId)} with all its users, profiles and keys`)
      return answer(
        command,
        terminal,
        (admin) => admin.deleteTenant({ tenantId }),
        () => `Deleted: the keys of ${shown(tenantId)} are dead, its rows go in the background.`,
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
