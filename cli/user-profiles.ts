import type { Command } from 'commander'
import { answerOf, asJson } from './answer.ts'
import { readJson } from './input.ts'
import { type OfTenant, tenantOption } from './tenant-argument.ts'
import type { Terminal } from './terminal.ts'

const example = `
Only the given fields change; null clears a field. Fields with "writable": false are accepted.

Example:
  echo '{"firstName": "Ada"}' | tenantry user profile set 01M7YRQNCSESKNDNW73532ZP9R -`

/** `tenantry user profile …`; the output is always JSON. */
export function addProfileCommands(user: Command, terminal: Terminal): void {
  const profile = user.command('profile').description('read and change the profile of a user')

  profile
    .command('get')
    .description('show the profile of a user')
    .argument('<user>', 'id of the user')
    .option(...tenantOption)
    .action((userId: string, { tenant }: OfTenant, command: Command) =>
      answerOf(tenant, command, terminal, (admin, tenantId) => admin.readUserProfile({ tenantId, userId }), asJson),
    )

  profile
    .command('set')
    .description('change fields of the profile, or create it')
    .argument('<user>', 'id of the user')
    .argument('<file>', 'path of a JSON file; - for standard input')
    .option(...tenantOption)
    .addHelpText('after', example)
    .action(async (userId: string, file: string, { tenant }: OfTenant, command: Command) => {
      const fields = await readJson(file, terminal)
      await answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.updateUserProfile({ tenantId, userId }, fields),
        asJson,
      )
    })
}
