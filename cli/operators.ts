import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Operator } from '../contract/admin/operators.ts'
import { ScopeName } from '../contract/scope-names.ts'
import { type GrantedScope, type Role, roles } from '../contract/scopes.ts'
import type { TenantryAdmin } from '../packages/client/src/admin.ts'
import { allPages } from './all-pages.ts'
import { answer } from './answer.ts'
import { describeCurrent } from './login.ts'
import { findTenantId } from './tenant-argument.ts'
import { list, shown, table } from './terminal/layout.ts'
import type { Terminal } from './terminal/terminal.ts'
import { time } from './terminal/time.ts'
import { wholeNumber } from './terminal/whole-number.ts'

interface Grants {
  readonly role?: Role
  readonly scope?: GrantedScope[]
  readonly tenant?: string[]
  readonly allTenants?: true
  readonly expiresAt?: string
  readonly neverExpires?: true
}
interface Given extends Grants {
  readonly name?: string
  readonly email?: string
}

const createNotes = `
Roles: owner (everything), admin (everything but operators), developer (configuration, schema, keys), support (users,
profiles, sessions, messages; no export, no deletion), auditor (events), viewer (reads). TENANTRY_TENANT has no effect
here: without --tenant the operator may reach every tenant.

Examples:
  tenantry operator create --name "Kim" --role support --tenant "My app"
  tenantry operator create --name "CI" --scope configuration:write --scope schema:write --expires-at 2027-06-30`

/** `tenantry operator …` */
export function addOperatorCommands(program: Command, terminal: Terminal): void {
  const operator = program.command('operator').description('manage who may administer the server, with their keys')

  addGrantOptions(
    operator
      .command('create')
      .description('create an operator; the key is shown only once')
      .requiredOption('--name <name>', 'name of the person or the program'),
  )
    .addHelpText('after', createNotes)
    .action((given: Given & { name: string }, command: Command) => {
      if (given.role === undefined && given.scope === undefined)
        command.error('error: specify what the operator may do: --role, or --scope once or more')
      return answer(
        command,
        terminal,
        async (admin) => admin.createOperator({ ...(await changesOf(given, command, admin)), name: given.name }),
        describeKey,
      )
    })

  operator
    .command('list')
    .description('list all operators, including expired and revoked ones')
    .action((_options, command: Command) =>
      answer(
        command,
        terminal,
        (admin) => allPages((query) => admin.listOperators(query)),
        (operators) => table(operators, columns, 'There are no operators. Create one with "tenantry operator create".'),
      ),
    )

  operator
    .command('show')
    .description('show an operator, or who you are')
    .argument('[operator]', 'id of the operator (default: the one whose key is used)')
    .action((operatorId: string | undefined, _options, command: Command) =>
      operatorId === undefined
        ? answer(command, terminal, async (admin) => (await admin.getCurrentOperator()).operator, describeCurrent)
        : answer(command, terminal, (admin) => admin.getOperator({ operatorId }), describe),
    )

  addGrantOptions(
    operator
      .command('update')
      .description('change an operator; takes effect with the next request')
      .argument(...idArgument)
      .option('--name <name>', 'name of the person or the program'),
  )
    .addOption(new Option('--all-tenants', 'let the operator reach every tenant').conflicts('tenant'))
    .addOption(new Option('--never-expires', 'remove the expiry').conflicts('expiresAt'))
    .action((operatorId: string, given: Given, command: Command) => {
      if (Object.keys(given).length === 0) command.error('error: specify what to change')
      return answer(
        command,
        terminal,
        async (admin) => admin.updateOperator({ operatorId }, await changesOf(given, command, admin)),
        describe,
      )
    })

  operator
    .command('rotate')
    .description('replace the key of an operator; the old key stays valid for a while')
    .argument(...idArgument)
    .option(
      '--overlap-hours <hours>',
      'how long the old key stays valid; 0 if it leaked (default: 24)',
      wholeNumber(0, 8_760),
    )
    .action((operatorId: string, { overlapHours }: { overlapHours?: number }, command: Command) =>
      answer(command, terminal, (admin) => admin.rotateOperatorKey({ operatorId }, { overlapHours }), describeKey),
    )

  operator
    .command('revoke')
    .description('end the key and the console sessions of an operator, effective immediately')
    .argument(...idArgument)
    .action((operatorId: string, _options, command: Command) =>
      answer(
        command,
        terminal,
        (admin) => admin.revokeOperator({ operatorId }),
        () => `Revoked operator ${shown(operatorId)}.`,
      ),
    )
}

const idArgument = ['<operator>', 'id of the operator'] as const

const addGrantOptions = (command: Command): Command =>
  command
    .option('--email <address>', 'e-mail address, for your own records')
    .addOption(new Option('--role <role>', 'scopes by the name of a role').choices(Object.keys(roles)))
    .addOption(
      new Option('--scope <scope>', 'a scope; repeat it for several')
        .choices(ScopeName.options)
        .argParser(scopes)
        .conflicts('role'),
    )
    .option('--tenant <tenant>', 'name or id of a tenant that the operator may reach; repeat it for several', several)
    .option('--expires-at <time>', 'expiry, such as 2027-01-31 or 2027-01-31T18:00:00Z (default: never)', time)

const several = (value: string, earlier: string[] = []): string[] => [...earlier, value]

function scopes(value: string, earlier: GrantedScope[] = []): GrantedScope[] {
  const { success, data } = ScopeName.safeParse(value)
  if (!success) throw new InvalidArgumentError(`Allowed scopes: ${ScopeName.options.join(', ')}.`)
  return [...earlier, data]
}

/** The body of a request, with the ids of the tenants. */
async function changesOf(
  { name, email, role, scope, tenant, allTenants, expiresAt, neverExpires }: Given,
  command: Command,
  admin: TenantryAdmin,
) {
  // `--tenant "$ACME"` with an unset variable must not grant more than was meant.
  if (tenant?.some((named) => named.trim() === '')) command.error('error: --tenant is empty; specify a name or id')
  const tenantIds = allTenants ? null : tenant && (await Promise.all(tenant.map((named) => findTenantId(named, admin))))
  return { name, email, role, scopes: scope, tenantIds, expiresAt: neverExpires ? null : expiresAt }
}

const columns = {
  ID: (operator: Operator) => operator.id,
  NAME: (operator: Operator) => operator.name,
  SCOPES: (operator: Operator) => operator.scopes,
  TENANTS: (operator: Operator) => operator.tenantIds ?? 'all',
  EXPIRES: (operator: Operator) => operator.expiresAt,
  REVOKED: (operator: Operator) => operator.revokedAt,
  'LAST USED': (operator: Operator) => operator.lastUsedAt,
}

const propertiesOf = (operator: Operator) =>
  [
    ['id', operator.id],
    ['name', operator.name],
    ['e-mail', operator.email],
    ['scopes', operator.scopes],
    ['tenants', operator.tenantIds ?? 'all'],
    ['created', operator.createdAt],
    ['created by', operator.createdBy],
    ['expires', operator.expiresAt ?? 'never'],
    ['revoked', operator.revokedAt],
    ['last used', operator.lastUsedAt],
  ] as const

const describe = (operator: Operator): string => list(propertiesOf(operator))

const describeKey = ({ key, ...operator }: Operator & { key: string }): string =>
  `${list([...propertiesOf(operator), ['key', key]])}\n\nThe key is shown only once. Its owner stores it with "tenantry login".`
