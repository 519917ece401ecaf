import type { Command } from 'commander'
import { asJson } from '../answer.ts'
import { type OfTenant, tenantOption } from '../tenant-argument.ts'
import { readJson } from '../terminal/input.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { answerOfUser, userArgument } from './user-argument.ts'

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
    .argument(...userArgument)
    .option(...tenantOption)
    .action((named: string, { tenant }: OfTenant, command: Command) =>
      answerOfUser(named, tenant, command, terminal, (admin, path) => admin.readUserProfile(path), asJson),
    )

  profile
    .command('set')
    .description('change fields of the profile, or create it')
    .argument(...userArgument)
    .argument('<file>', 'path of a JSON file; - for standard input')
    .option(...tenantOption)
    .addHelpText('after', example)
    .action(async (named: string, file: string, { tenant }: OfTenant, command: Command) => {
      const fields = await readJson(file, terminal)
      await answerOfUser(
        named,
        tenant,
        command,
        terminal,
        (admin, path) => admin.updateUserProfile(path, fields),
        asJson,
      )
    })
}
