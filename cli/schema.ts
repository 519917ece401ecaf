import type { Command } from 'commander'
import type { AdminInputOf, AdminOutputOf, TenantryAdmin } from '../packages/client/src/admin.ts'
import { answerOf, asJson } from './answer.ts'
import { readJson } from './input.ts'
import { list, shown, table } from './layout.ts'
import { type OfTenant, tenantOption } from './tenant-argument.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

/** `tenantry schema …` */
export function addSchemaCommands(program: Command, terminal: Terminal): void {
  const schema = program.command('schema').description('manage the profile schema of a tenant')

  schema
    .command('publish')
    .description('publish a profile schema as the current version')
    .argument('<file>', 'path of a JSON file; - for standard input')
    .option(...tenantOption)
    .action(async (file: string, { tenant }: OfTenant, command: Command) => {
      const input = (await readJson(file, terminal)) as object as AdminInputOf<'publishProfileSchema'>
      await answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.publishProfileSchema({ tenantId }, input),
        ({ version, components }) => `Version ${version} is current; it has ${components.length} field(s).`,
      )
    })

  schema
    .command('show')
    .description('show the current profile schema, or an earlier version')
    .argument('[version]', 'version (default: the current one)')
    .option(...tenantOption)
    .action((version: string | undefined, { tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.readProfileSchema({ tenantId }, { version }),
        asJson,
      ),
    )

  schema
    .command('check')
    .description('report what publishing a profile schema would break; change nothing')
    .argument('<file>', 'path of a JSON file; - for standard input')
    .option(...tenantOption)
    .option('--exit-code', 'exit with 1 if publishing would break something')
    .action(async (file: string, { tenant, exitCode }: OfTenant & { exitCode?: true }, command: Command) => {
      const input = (await readJson(file, terminal)) as object as AdminInputOf<'checkProfileSchema'>
      let breaks = false
      const check = async (admin: TenantryAdmin, tenantId: string) => {
        const report = await admin.checkProfileSchema({ tenantId }, input)
        breaks = report.changes.length > 0 || report.failingProfiles > 0
        return report
      }
      await answerOf(tenant, command, terminal, check, describeReport)
      if (exitCode && breaks) throw new CommandFailure('Publishing this schema would break something.')
    })
}

type Report = AdminOutputOf<'checkProfileSchema'>

function describeReport(report: Report): string {
  const { changes, profiles, failingProfiles, failingFields } = report
  const changed = table(
    changes,
    { FIELD: (change) => change.field, CHANGE: (change) => change.kind, WHAT: (change) => change.message },
    'No field is removed, retyped, narrowed or gets a condition.',
  )
  const failing = Object.entries(failingFields).map(([field, count]) => [shown(field), `invalid in ${count}`] as const)
  const counted = `${failingProfiles} of ${profiles} stored profiles would become invalid.`
  return [changed, '', counted, ...(failing.length > 0 ? [list(failing)] : [])].join('\n')
}
