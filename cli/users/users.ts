import { Argument, type Command, Option } from 'commander'
import type { ManagedUser, Restriction } from '../../contract/accounts/user.ts'
import { type UserCapability, userCapabilities } from '../../contract/tenants/capabilities.ts'
import type { TenantryAdmin } from '../../packages/client/src/admin.ts'
import { allPages } from '../all-pages.ts'
import { answerOf } from '../answer.ts'
import { requireYes } from '../deletion.ts'
import { addWhyOptions, noneOption, requireRestrictions, type Why, withWhy } from '../restrictions.ts'
import { type OfTenant, tenantOption } from '../tenant-argument.ts'
import { readPassword } from '../terminal/input.ts'
import { list, shown, table } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { addIdentityCommands } from './identities.ts'
import { type ProfileConditions, profileOption } from './profile-conditions.ts'
import { addSessionCommands } from './sessions.ts'
import { answerOfUser, userArgument } from './user-argument.ts'
import { addUserFileCommands } from './user-files.ts'
import { addProfileCommands } from './user-profiles.ts'

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
  readonly profile?: ProfileConditions
}

/** The changes of an update. */
type Changes = Parameters<TenantryAdmin['updateUser']>[1]

/** `tenantry user …` */
export function addUserCommands(program: Command, terminal: Terminal): void {
  const user = program.command('user').description('manage the users of a tenant')

  user
    .command('create')
    .description('create a user with an e-mail address, a phone number or both')
    .option(...tenantOption)
    .option('--email <address>', 'e-mail address; unverified unless confirmed by --email-verified')
    .option('--email-verified', 'confirm that the address belongs to the user')
    .option('--phone <number>', 'phone number, such as +33612345678; unverified unless confirmed by --phone-verified')
    .option('--phone-verified', 'confirm that the number belongs to the user')
    .option('--password-stdin', 'read the password from standard input')
    .action(async ({ tenant, passwordStdin, ...given }: NewUser, command: Command) => {
      const { email, phone, emailVerified, phoneVerified } = given
      if (email === undefined && phone === undefined) command.error('error: specify --email, --phone or both')
      if (emailVerified && email === undefined) command.error('error: --email-verified requires --email')
      if (phoneVerified && phone === undefined) command.error('error: --phone-verified requires --phone')
      const password = passwordStdin ? await readPassword(terminal) : undefined
      await answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.createUser({ tenantId }, { ...given, password }),
        describe,
      )
    })

  user
    .command('list')
    .description('list the users of a tenant, optionally filtered')
    .option(...tenantOption)
    .option('--email <address>', 'only the user with this address')
    .option('--phone <number>', 'only the user with this number')
    .option('--id <prefix>', 'only users whose id starts with this')
    .option(...profileOption)
    .action(({ tenant, profile, ...filters }: UserSearch, command: Command) => {
      const search = { ...filters, ...profile }
      return answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => allPages((query) => admin.listUsers({ tenantId }, { ...query, ...search })),
        (users) =>
          table(users, columns, Object.keys(search).length === 0 ? 'The tenant has no users.' : 'No matching users.'),
      )
    })

  user
    .command('show')
    .description('show a user')
    .argument(...userArgument)
    .option(...tenantOption)
    .action((named: string, { tenant }: OfTenant, command: Command) =>
      answerOfUser(named, tenant, command, terminal, (admin, path) => admin.getUser(path), describe),
    )

  const update = (named: string, { tenant }: OfTenant, changes: Changes, command: Command) =>
    answerOfUser(named, tenant, command, terminal, (admin, path) => admin.updateUser(path, changes), describe)

  user
    .command('update')
    .description('replace the e-mail address or the phone number of a user')
    .argument(...userArgument)
    .option(...tenantOption)
    .option('--email <address>', 'e-mail address, verified: you guarantee that it belongs to the user')
    .option(
      '--phone <number>',
      'phone number such as +33612345678, verified: you guarantee that it belongs to the user',
    )
    .action((named: string, { tenant, email, phone }: OfTenant & Changes, command: Command) => {
      if (email === undefined && phone === undefined) command.error('error: specify --email, --phone or both')
      return update(named, tenant === undefined ? {} : { tenant }, { email, phone }, command)
    })

  addWhyOptions(
    user
      .command('suspend')
      .description('reject all requests and sign-ins of a user until resumed')
      .argument(...userArgument)
      .option(...tenantOption),
  ).action((named: string, { reason, until, ...of }: OfTenant & Why, command: Command) =>
    update(named, of, { suspension: { reason, until } }, command),
  )

  user
    .command('resume')
    .description('end the suspension of a user')
    .argument(...userArgument)
    .option(...tenantOption)
    .action((named: string, of: OfTenant, command: Command) => update(named, of, { suspension: null }, command))

  addWhyOptions(
    user
      .command('restrict')
      .description('set the restricted capabilities of a user')
      .argument(...userArgument)
      .addArgument(
        new Argument('[capability...]', 'the complete list of restricted capabilities').choices(userCapabilities),
      )
      .option(...tenantOption)
      .addOption(new Option(...noneOption).conflicts(['reason', 'until'])),
  ).action(
    (
      named: string,
      withdrawn: UserCapability[],
      { none, reason, until, ...of }: OfTenant & Why & { none?: true },
      command: Command,
    ) => {
      const capabilities = requireRestrictions(withdrawn, none, command)
      return update(
        named,
        of,
        { restrictions: capabilities.map((capability) => ({ capability, reason, until })) },
        command,
      )
    },
  )

  addProfileCommands(user, terminal)
  addIdentityCommands(user, terminal)
  addSessionCommands(user, terminal)
  addUserFileCommands(user, terminal)

  user
    .command('delete')
    .description('delete a user and the profile')
    .argument(...userArgument)
    .option(...tenantOption)
    .option('--yes', 'confirm the deletion')
    .action((named: string, { tenant, yes }: OfTenant & { yes?: true }, command: Command) => {
      requireYes(yes, `user ${shown(named)} and the profile`)
      return answerOfUser(
        named,
        tenant,
        command,
        terminal,
        (admin, path) => admin.deleteUser(path),
        () => `Deleted user ${shown(named)}.`,
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

/** Whether a restriction of the user is in effect. */
const holds =
  ({ restrictedCapabilities }: ManagedUser) =>
  ({ capability }: Restriction): boolean =>
    restrictedCapabilities.includes(capability)
