import { processTerminal } from './process-terminal.ts'
import { runTenantry } from './run.ts'

/** The `tenantry` command: an operator's way to a running server (design 9). */
process.exitCode = await runTenantry(process.argv.slice(2), processTerminal())
