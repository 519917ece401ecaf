import type { Command } from 'commander'
import type { SigningKey } from '../contract/admin/signing-keys.ts'
import { answer } from './answer.ts'
import { table } from './terminal/layout.ts'
import type { Terminal } from './terminal/terminal.ts'

/** `tenantry signing-keys …` */
export function addSigningKeyCommands(program: Command, terminal: Terminal): void {
  const signingKeys = program.command('signing-keys').description('list and rotate the keys that sign access tokens')

  signingKeys
    .command('list')
    .description('list the keys whose tokens are accepted')
    .action((_options, command: Command) =>
      answer(command, terminal, async (admin) => (await admin.listSigningKeys()).keys, describe),
    )

  signingKeys
    .command('rotate')
    .description('publish the next key, which starts signing in ten minutes')
    .option('--withdraw', 'for a leaked key: sign with a new key immediately and stop trusting all others')
    .action(({ withdraw }: { withdraw?: true }, command: Command) =>
      answer(
        command,
        terminal,
        async (admin) => (await admin.rotateSigningKeys({ withdraw })).keys,
        (keys) => (withdraw ? `${describe(keys)}\n\n${withdrawn}` : describe(keys)),
      ),
    )
}

const withdrawn =
  'All existing access tokens are now rejected, by other processes of this server within a minute. Refresh tokens remain ' +
  'valid. Services that verify tokens themselves trust the old keys until they fetch the key set again.'

const describe = (keys: readonly SigningKey[]): string => table(keys, columns, 'No signing keys found.')

const columns = {
  KID: (key: SigningKey) => key.kid,
  STATE: (key: SigningKey) => key.state,
  CREATED: (key: SigningKey) => key.createdAt,
  'SIGNS FROM': (key: SigningKey) => key.signsFrom,
  'TRUSTED UNTIL': (key: SigningKey) => key.trustedUntil,
}
