import { Command } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { addBackupCommands } from './backup.ts'
import { addCompletionCommand } from './completion.ts'
import { addConfigurationCommands } from './configuration.ts'
import { addCopyCommand } from './copy.ts'
import { addDeliveryCommands } from './delivery.ts'
import { addEventCommands } from './events.ts'
import { addInboxCommand } from './inbox.ts'
import { addKeyCommands } from './keys.ts'
import { addLoginCommands } from './login.ts'
import { addMasterKeyCommands } from './master-keys.ts'
import { addMessageCommands } from './messages.ts'
import { addMigrateCommand } from './migrate.ts'
import { addOperatorCommands } from './operators.ts'
import { addSchemaCommands } from './schema.ts'
import { addSigningKeyCommands } from './signing-keys.ts'
import { addTenantCommands } from './tenants.ts'
import type { Terminal } from './terminal.ts'
import { addUserCommands } from './users.ts'

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
    .option('--url <url>', 'URL of the server (default: TENANTRY_URL, or http://127.0.0.1 with ADMIN_PORT or 4000)')
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
  return program
}
