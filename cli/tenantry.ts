import { processTerminal } from './process-terminal.ts'
import { runTenantry } from './run.ts'

/** The `tenantry` command. */
process.exitCode = await runTenantry(process.argv.slice(2), processTerminal())
