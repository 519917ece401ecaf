import type { Command } from 'commander'
import type { Identity } from '../../packages/client/src/admin.ts'
import { type OfTenant, tenantOption } from '../tenant-argument.ts'
import { shown, table } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { answerOfUser, userArgument } from './user-argument.ts'

/** `tenantry user identities` and `tenantry user remove-identity`. */
export function addIdentityCommands(user: Command, terminal: Terminal): void {
  user
    .command('identities')
    .description('list the ways of a user to sign in')
    .argument(...userArgument)
    .option(...tenantOption)
    .action((named: string, { tenant }: OfTenant, command: Command) =>
      answerOfUser(
        named,
        tenant,
        command,
        terminal,
        async (admin, path) => (await admin.listUserIdentities(path)).identities,
        (identities) => table(identities, columns, 'The user has no way to sign in.'),
      ),
    )

  user
    .command('remove-identity')
    .description('remove a way of a user to sign in, except the last; sessions stay')
    .argument(...userArgument)
    .argument('<identity>', 'id of the identity, as shown by "user identities"')
    .option(...tenantOption)
    .action((named: string, identityId: string, { tenant }: OfTenant, command: Command) =>
      answerOfUser(
        named,
        tenant,
        command,
        terminal,
        (admin, path) => admin.removeUserIdentity({ ...path, identityId }),
        () => `Removed: ${shown(identityId)} of ${shown(named)}`,
      ),
    )
}

const columns = {
  ID: ({ id }: Identity) => id,
  METHOD: ({ method }: Identity) => method,
  ADDRESS: ({ email, phone }: Identity) => email ?? phone,
  ADDED: ({ createdAt }: Identity) => createdAt,
}
