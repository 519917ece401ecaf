import { Command } from 'commander'
import { addBackupCommands } from './backup.ts'
import { addConfigurationCommands } from './configuration.ts'
import { addCopyCommand } from './copy.ts'
import { addDeliveryCommands } from './delivery.ts'
import { addKeyCommands } from './keys.ts'
import { addMasterKeyCommands } from './master-keys.ts'
import { addMessageCommands } from './messages.ts'
import { addMigrateCommand } from './migrate.ts'
import { addSchemaCommands } from './schema.ts'
import { addSigningKeyCommands } from './signing-keys.ts'
import { addTenantCommands } from './tenants.ts'
import type { Terminal } from './terminal.ts'
import { addUserCommands } from './users.ts'

const afterHelp = `
The admin key comes from TENANTRY_ADMIN_KEY, or from the file that TENANTRY_ADMIN_KEY_FILE names; on the machine of a
development server it is found beside the database. It is never an argument: process lists show arguments.`

/** The whole command: a file a noun. It never ends the process; what it has to say goes to the terminal. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('tenantry')
    .description(
      'Tenants, keys, users, profile schemas, configurations and messages of a running Tenantry server; its data and master keys.',
    )
    .option('--url <url>', 'where the server is (default: TENANTRY_URL, or http://127.0.0.1 at ADMIN_PORT, or 4000)')
    .option('--json', 'answer in JSON, for machines')
    .addHelpText('after', afterHelp)
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.warn })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help tells more)')
    .exitOverride()
  addTenantCommands(program, terminal)
  addKeyCommands(program, terminal)
  addUserCommands(program, terminal)
  addSchemaCommands(program, terminal)
  addConfigurationCommands(program, terminal)
  addDeliveryCommands(program, terminal)
  addMessageCommands(program, terminal)
  addSigningKeyCommands(program, terminal)
  addMigrateCommand(program, terminal)
  addCopyCommand(program, terminal)
  addBackupCommands(program, terminal)
  addMasterKeyCommands(program, terminal)
  return program
}
