import type { Command } from 'commander'
import type { AdminInputOf } from '../packages/client/src/admin.ts'
import { answerOf, asJson } from './answer.ts'
import { readJson } from './input.ts'
import { type OfTenant, tenantOption } from './tenant-argument.ts'
import type { Terminal } from './terminal.ts'

/** `tenantry configuration …`; the output is always JSON. */
export function addConfigurationCommands(program: Command, terminal: Terminal): void {
  const configuration = program.command('configuration').description('read and change the configuration of a tenant')

  configuration
    .command('show')
    .description('show all modules as stored')
    .option(...tenantOption)
    .action(({ tenant }: OfTenant, command: Command) =>
      answerOf(tenant, command, terminal, (admin, tenantId) => admin.readConfiguration({ tenantId }), asJson),
    )

  configuration
    .command('set')
    .description('replace all modules with those in a file')
    .argument('<file>', 'path of a JSON file; - for standard input')
    .option(...tenantOption)
    .action(async (file: string, { tenant }: OfTenant, command: Command) => {
      const modules = (await readJson(file, terminal)) as AdminInputOf<'replaceConfiguration'>
      await answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.replaceConfiguration({ tenantId }, modules),
        asJson,
      )
    })

  configuration
    .command('patch')
    .description('merge a file into the modules (RFC 7396): objects are merged, null removes, anything else replaces')
    .argument('<file>', 'path of a JSON file; - for standard input')
    .option(...tenantOption)
    .action(async (file: string, { tenant }: OfTenant, command: Command) => {
      const patch = await readJson(file, terminal)
      await answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.updateConfiguration({ tenantId }, patch),
        asJson,
      )
    })
}
