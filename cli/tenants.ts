import { Argument, type Command } from 'commander'
import type { Tenant } from '../contract/admin/tenants.ts'
import { type Capability, tenantCapabilities } from '../contract/tenants/capabilities.ts'
import type { TenantryAdmin } from '../packages/client/src/admin.ts'
import { allPages } from './all-pages.ts'
import { answer, answerOf } from './answer.ts'
import { requireYes } from './deletion.ts'
import { noneOption, requireRestrictions } from './restrictions.ts'
import { list, shown, table } from './terminal/layout.ts'
import type { Terminal } from './terminal/terminal.ts'

type Changes = Parameters<TenantryAdmin['updateTenant']>[1]

const optional = ['[tenant]', 'name or id of the tenant (default: TENANTRY_TENANT)'] as const
/** Where other arguments follow, or where the default would be dangerous. */
const required = ['<tenant>', 'name or id of the tenant'] as const

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
    .argument(...optional)
    .action((named: string | undefined, _options, command: Command) =>
      answerOf(named, command, terminal, (admin, tenantId) => admin.getTenant({ tenantId }), describe),
    )

  const update = (named: string | undefined, changes: Changes, command: Command) =>
    answerOf(named, command, terminal, (admin, tenantId) => admin.updateTenant({ tenantId }, changes), describe)

  tenant
    .command('rename')
    .description('change the display name of a tenant')
    .argument(...required)
    .argument('<name>', 'the new display name')
    .action((named: string, name: string, _options, command: Command) => update(named, { name }, command))

  tenant
    .command('suspend')
    .description('reject all requests with its keys until it is resumed')
    .argument(...optional)
    .action((named: string | undefined, _options, command: Command) => update(named, { suspended: true }, command))

  tenant
    .command('resume')
    .description('end a suspension')
    .argument(...optional)
    .action((named: string | undefined, _options, command: Command) => update(named, { suspended: false }, command))

  tenant
    .command('restrict')
    .description('set the restricted capabilities of a tenant')
    .argument(...required)
    .addArgument(
      new Argument('[capability...]', 'the complete list of restricted capabilities').choices(tenantCapabilities),
    )
    .option(...noneOption)
    .action((named: string, capabilities: Capability[], { none }: { none?: true }, command: Command) =>
      update(named, { restrictedCapabilities: requireRestrictions(capabilities, none, command) }, command),
    )

  tenant
    .command('delete')
    .description('delete a tenant with all its data')
    .argument(...required)
    .option('--yes', 'confirm the deletion')
    .action((named: string, { yes }: { yes?: true }, command: Command) => {
      requireYes(yes, `tenant ${shown(named)} with all its users, profiles and keys`)
      return answerOf(
        named,
        command,
        terminal,
        (admin, tenantId) => admin.deleteTenant({ tenantId }),
        () => `Deleted tenant ${shown(named)}. Its keys are revoked; its data is deleted in the background.`,
      )
    })
}

const listAll = (admin: TenantryAdmin) => allPages((query) => admin.listTenants(query))

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
