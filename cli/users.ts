import { Argument, type Command } from 'commander'
import type { ManagedUser } from '../contract/user.ts'
import { type UserCapability, userCapabilities } from '../contract/capabilities.ts'
import { allPages, answer } from './answer.ts'
import { requireYes } from './deletion.ts'
import { readPassword } from './input.ts'
import { list, shown, table } from './layout.ts'
import { noneOption, requireRestrictions } from './restrictions.ts'
import type { Terminal } from './terminal.ts'

interface OfTenant {
  readonly tenant: string
}

interface NewUser extends OfTenant {
  readonly email?: string
  readonly phone?: string
  readonly passwordStdin?: true
}

/** `tenantry user …` */
export function addUserCommands(program: Command, terminal: Terminal): void {
  const user = program.command('user').description('The users of a tenant')

  user
    .command('create')
    .description('create a user with an e-mail address, a phone number or both')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--email <address>', 'stored unverified')
    .option('--phone <number>', 'with its country, such as +33612345678; stored unverified')
    .option('--password-stdin', 'read the password from standard input (as an argument, process lists would show it)')
    .action(async ({ tenant: tenantId, email, phone, passwordStdin }: NewUser, command: Command) => {
      if (email === undefined && phone === undefined) command.error('error: give --email, --phone or both')
      const password = passwordStdin ? await readPassword(terminal) : undefined
      await answer(command, terminal, (admin) => admin.createUser({ tenantId }, { email, phone, password }), describe)
    })

  user
    .command('list')
    .description('list all users of a tenant, or the one with an address')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--email <address>', 'only the user with this address')
    .action(({ tenant: tenantId, email }: OfTenant & { email?: string }, command: Command) =>
      answer(
        command,
        terminal,
        (admin) => allPages((query) => admin.listUsers({ tenantId }, { ...query, email })),
        (users) =>
          table(users, columns, email === undefined ? 'The tenant has no user yet.' : 'No user has this address.'),
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

  user
    .command('restrict')
    .description('say what the user may not do')
    .argument('<user>', 'the id')
    .addArgument(new Argument('[capability...]', 'all that is restricted from now on').choices(userCapabilities))
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option(...noneOption)
    .action(
      (
        userId: string,
        named: UserCapability[],
        { tenant: tenantId, none }: OfTenant & { none?: true },
        command: Command,
      ) => {
        const restrictedCapabilities = requireRestrictions(named, none, command)
        return answer(
          command,
          terminal,
          (admin) => admin.updateUser({ tenantId, userId }, { restrictedCapabilities }),
          describe,
        )
      },
    )

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
    ['restricted', user.restrictedCapabilities],
    ['created', user.createdAt],
    ['updated', user.updatedAt],
  ])
