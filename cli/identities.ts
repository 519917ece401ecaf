import type { Command } from 'commander'
import type { Identity } from '../packages/client/src/admin.ts'
import { answerOf } from './answer.ts'
import { shown, table } from './layout.ts'
import { type OfTenant, tenantOption } from './tenant-argument.ts'
import type { Terminal } from './terminal.ts'

/** `tenantry user identities` and `tenantry user remove-identity`. */
export function addIdentityCommands(user: Command, terminal: Terminal): void {
  user
    .command('identities')
    .description('list the ways of a user to sign in')
    .argument('<user>', 'id of the user')
    .option(...tenantOption)
    .action((userId: string, { tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        async (admin, tenantId) => (await admin.listUserIdentities({ tenantId, userId })).identities,
        (identities) => table(identities, columns, 'The user has no way to sign in.'),
      ),
    )

  user
    .command('remove-identity')
    .description('remove a way of a user to sign in, except the last; sessions stay')
    .argument('<user>', 'id of the user')
    .argument('<identity>', 'id of the identity, as shown by "user identities"')
    .option(...tenantOption)
    .action((userId: string, identityId: string, { tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.removeUserIdentity({ tenantId, userId, identityId }),
        () => `Removed: ${shown(identityId)} of ${shown(userId)}`,
      ),
    )
}

const columns = {
  ID: ({ id }: Identity) => id,
  METHOD: ({ method }: Identity) => method,
  ADDRESS: ({ email, phone }: Identity) => email ?? phone,
  ADDED: ({ createdAt }: Identity) => createdAt,
}
