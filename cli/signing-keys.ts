import type { Command } from 'commander'
import type { SigningKey } from '../contract/signing-keys.ts'
import { answer } from './answer.ts'
import { table } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** `tenantry signing-keys …` */
export function addSigningKeyCommands(program: Command, terminal: Terminal): void {
  const signingKeys = program.command('signing-keys').description('The keys that sign access tokens')

  signingKeys
    .command('list')
    .description('list the keys whose tokens are accepted')
    .action((_options, command: Command) =>
      answer(command, terminal, async (admin) => (await admin.listSigningKeys()).keys, describe),
    )

  signingKeys
    .command('rotate')
    .description('publish the next key, which signs in ten minutes; nobody notices')
    .option('--withdraw', 'a key leaked: sign with a fresh one at once, and trust no other any more')
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
  'Every access token out there is refused from now on, by other processes of this server within a minute; refresh ' +
  'tokens go on working. Services that verify tokens themselves trust the old keys until they read the key set again.'

const describe = (keys: readonly SigningKey[]): string => table(keys, columns, 'There is no signing key.')

const columns = {
  KID: (key: SigningKey) => key.kid,
  STATE: (key: SigningKey) => key.state,
  CREATED: (key: SigningKey) => key.createdAt,
  'SIGNS FROM': (key: SigningKey) => key.signsFrom,
  'TRUSTED UNTIL': (key: SigningKey) => key.trustedUntil,
}
