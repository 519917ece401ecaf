import type { Command } from 'commander'
import type { AdminInputOf, TenantryAdmin } from '../packages/client/src/admin.ts'
import { answerOf, asJson } from './answer.ts'
import { type OfTenant, tenantOption } from './tenant-argument.ts'
import { readJson } from './terminal/input.ts'
import { list, shown } from './terminal/layout.ts'
import type { Terminal } from './terminal/terminal.ts'

/** `tenantry configuration …`; the configuration is always printed as JSON. */
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

  configuration
    .command('allow-origin')
    .description('allow web pages of an origin to call the tenant, beside those that are allowed already')
    .argument('<origin>', 'scheme, host and port, such as https://app.example.com')
    .option(...tenantOption)
    .action((origin: string, { tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => allowOrigin(admin, tenantId, origin),
        ({ security }) => list((security?.allowedOrigins ?? []).map((each) => ['allowed', shown(each)])),
      ),
    )
}

/** Refused with PRECONDITION_FAILED if the configuration changes meanwhile: a patch replaces the whole list. */
async function allowOrigin(admin: TenantryAdmin, tenantId: string, origin: string) {
  let ifMatch: string | undefined
  const { security } = await admin.readConfiguration({ tenantId }, { onEtag: (etag) => (ifMatch = etag) })
  const allowedOrigins = [...new Set([...(security?.allowedOrigins ?? []), origin])]
  return admin.updateConfiguration({ tenantId }, { security: { allowedOrigins } }, { ifMatch })
}
