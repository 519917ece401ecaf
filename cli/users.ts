import { Argument, type Command } from 'commander'
import type { TenantryClient } from '../client/client.ts'
import { type UserCapability, userCapabilities } from '../contract/capabilities.ts'
import type { ManagedUser, Restriction } from '../contract/user.ts'
import { allPages, answer } from './answer.ts'
import { requireYes } from './deletion.ts'
import { readPassword } from './input.ts'
import { list, shown, table } from './layout.ts'
import { addWhyOptions, noneOption, requireRestrictions, type Why, withWhy } from './restrictions.ts'
import { addSessionCommands } from './sessions.ts'
import type { Terminal } from './terminal.ts'
import { addUserFileCommands } from './user-files.ts'

interface OfTenant {
  readonly tenant: string
}

interface NewUser extends OfTenant {
  readonly email?: string
  readonly emailVerified?: true
  readonly phone?: string
  readonly phoneVerified?: true
  readonly passwordStdin?: true
}

interface UserSearch extends OfTenant {
  readonly email?: string
  readonly phone?: string
  readonly id?: string
}

/** What is changed of a user. */
type Changes = Parameters<TenantryClient['updateUser']>[1]

/** `tenantry user …` */
export function addUserCommands(program: Command, terminal: Terminal): void {
  const user = program.command('user').description('The users of a tenant')

  user
    .command('create')
    .description('create a user with an e-mail address, a phone number or both')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--email <address>', 'stored unverified unless you vouch for it')
    .option('--email-verified', "you vouch that the address is the user's")
    .option('--phone <number>', 'with its country, such as +33612345678; stored unverified unless you vouch for it')
    .option('--phone-verified', "you vouch that the number is the user's")
    .option('--password-stdin', 'read the password from standard input (as an argument, process lists would show it)')
    .action(async ({ tenant: tenantId, passwordStdin, ...given }: NewUser, command: Command) => {
      const { email, phone, emailVerified, phoneVerified } = given
      if (email === undefined && phone === undefined) command.error('error: give --email, --phone or both')
      if (emailVerified && email === undefined) command.error('error: --email-verified wants --email')
      if (phoneVerified && phone === undefined) command.error('error: --phone-verified wants --phone')
      const password = passwordStdin ? await readPassword(terminal) : undefined
      await answer(command, terminal, (admin) => admin.createUser({ tenantId }, { ...given, password }), describe)
    })

  user
    .command('list')
    .description('list the users of a tenant: all of them, or those that fit what is given')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--email <address>', 'only the user with this address')
    .option('--phone <number>', 'only the user with this number')
    .option('--id <beginning>', 'only users whose id begins so')
    .action(({ tenant: tenantId, ...search }: UserSearch, command: Command) =>
      answer(
        command,
        terminal,
        (admin) => allPages((query) => admin.listUsers({ tenantId }, { ...query, ...search })),
        (users) =>
          table(users, columns, Object.keys(search).length === 0 ? 'The tenant has no user yet.' : 'No user fits.'),
      ),
    )

  user
    .command('show')
    .description('show a user')
    .argument('<user>', 'the id')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .action((userId: string, { tenant: tenantId }: OfTenant, command: Command) =>
      answer(command, terminal, (admin) => admin.getUser({ tenantId, userId }), describe),
    )

  const update = (userId: string, { tenant: tenantId }: OfTenant, changes: Changes, command: Command) =>
    answer(command, terminal, (admin) => admin.updateUser({ tenantId, userId }, changes), describe)

  addWhyOptions(
    user
      .command('suspend')
      .description('refuse every call and sign-in of the user until it is resumed')
      .argument('<user>', 'the id')
      .requiredOption('--tenant <id>', 'id of the tenant'),
  ).action((userId: string, { reason, until, ...of }: OfTenant & Why, command: Command) =>
    update(userId, of, { suspension: { reason, until } }, command),
  )

  user
    .command('resume')
    .description('take calls and sign-ins of the user again')
    .argument('<user>', 'the id')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .action((userId: string, of: OfTenant, command: Command) => update(userId, of, { suspension: null }, command))

  addWhyOptions(
    user
      .command('restrict')
      .description('say what the user may not do')
      .argument('<user>', 'the id')
      .addArgument(new Argument('[capability...]', 'all that is restricted from now on').choices(userCapabilities))
      .requiredOption('--tenant <id>', 'id of the tenant')
      .option(...noneOption),
  ).action(
    (
      userId: string,
      named: UserCapability[],
      { none, reason, until, ...of }: OfTenant & Why & { none?: true },
      command: Command,
    ) => {
      const capabilities = requireRestrictions(named, none, command)
      return update(
        userId,
        of,
        { restrictions: capabilities.map((capability) => ({ capability, reason, until })) },
        command,
      )
    },
  )

  addSessionCommands(user, terminal)
  addUserFileCommands(user, terminal)

  user
    .command('delete')
    .description('delete a user with the profile')
    .argument('<user>', 'the id')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--yes', 'really')
    .action((userId: string, { tenant: tenantId, yes }: OfTenant & { yes?: true }, command: Command) => {
      requireYes(yes, `the user ${shown(userId)} with the profile`)
      return answer(
        command,
        terminal,
        (admin) => admin.deleteUser({ tenantId, userId }),
        () => `Deleted: ${shown(userId)}`,
      )
    })
}

const columns = {
  ID: (user: ManagedUser) => user.id,
  EMAIL: (user: ManagedUser) => user.email,
  PHONE: (user: ManagedUser) => user.phone,
  METHODS: (user: ManagedUser) => user.methods,
  SUSPENDED: (user: ManagedUser) => user.suspension !== null,
  RESTRICTED: (user: ManagedUser) => user.restrictedCapabilities,
  CREATED: (user: ManagedUser) => user.createdAt,
}

const describe = (user: ManagedUser): string =>
  list([
    ['id', user.id],
    ['email', user.email],
    ['email verified', user.emailVerified],
    ['phone', user.phone],
    ['phone verified', user.phoneVerified],
    ['methods', user.methods],
    ['guest', user.guest],
    ['suspended', user.suspension === null ? false : withWhy('yes', user.suspension)],
    ['restricted', user.restrictions.filter(holds(user)).map((one) => withWhy(one.capability, one))],
    ['last active', user.lastActiveAt],
    ['created', user.createdAt],
    ['updated', user.updatedAt],
  ])

/** Which of the user's restrictions have not ended. */
const holds =
  ({ restrictedCapabilities }: ManagedUser) =>
  ({ capability }: Restriction): boolean =>
    restrictedCapabilities.includes(capability)
