import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { addCompletionCommand } from './completion/completion.ts'
import { addConfigurationCommands } from './configuration.ts'
import { addBackupCommands } from './database/backup.ts'
import { addCopyCommand } from './database/copy.ts'
import { addMasterKeyCommands } from './database/master-keys.ts'
import { addMigrateCommand } from './database/migrate.ts'
import { addDeliveryCommands } from './delivery/delivery.ts'
import { addInboxCommand } from './delivery/inbox.ts'
import { addMessageCommands } from './delivery/messages.ts'
import { addEventCommands } from './events/events.ts'
import { addHelpCommands } from './help.ts'
import { addKeyCommands } from './keys.ts'
import { addLoginCommands } from './login.ts'
import { addOperatorCommands } from './operators.ts'
import { addSchemaCommands } from './schema/schema.ts'
import { addSigningKeyCommands } from './signing-keys.ts'
import { addTenantCommands } from './tenants.ts'
import type { Terminal } from './terminal/terminal.ts'
import { addUserCommands } from './users/users.ts'

const afterHelp = `
Commands on a tenant take its name or id, with --tenant or as an argument. The default is TENANTRY_TENANT.

Your key is read from TENANTRY_OPERATOR_KEY, else from "tenantry login", else the root key from TENANTRY_ADMIN_KEY or from
the file in TENANTRY_ADMIN_KEY_FILE. On the machine of a development server, that is found beside the database. It is not
an option, because process lists show options.`

/** All commands, one file per noun. Writes to the terminal only and never ends the process. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('tenantry')
    .description(
      'Manages tenants, keys, operators, users, profile schemas, configurations and messages of a running Tenantry server, and its database and master keys.',
    )
    .version(packageJson.version, '--version', 'print the version of this tool')
    .option('--url <url>', 'URL of the server (default: TENANTRY_URL, or http://127.0.0.1 at ADMIN_PORT, PORT or 4000)')
    .option('--json', 'print JSON')
    .addHelpText('after', afterHelp)
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.warn })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride()
  addLoginCommands(program, terminal)
  addTenantCommands(program, terminal)
  addKeyCommands(program, terminal)
  addUserCommands(program, terminal)
  addSchemaCommands(program, terminal)
  addConfigurationCommands(program, terminal)
  addDeliveryCommands(program, terminal)
  addMessageCommands(program, terminal)
  addEventCommands(program, terminal)
  addInboxCommand(program, terminal)
  addOperatorCommands(program, terminal)
  addSigningKeyCommands(program, terminal)
  addMigrateCommand(program, terminal)
  addCopyCommand(program, terminal)
  addBackupCommands(program, terminal)
  addMasterKeyCommands(program, terminal)
  addCompletionCommand(program, terminal)
  addHelpCommands(program)
  return program
}
