import type { Command } from 'commander'
import type { AdminInputOf, AdminOutputOf } from '../../packages/client/src/admin.ts'
import { allPages } from '../all-pages.ts'
import { answerOf, asJson } from '../answer.ts'
import { baseUrlOf } from '../connection.ts'
import { globalOptions } from '../global-options.ts'
import { type OfTenant, tenantOption } from '../tenant-argument.ts'
import { table } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { describePublication, publishUnlessBreaking, requirePublished } from './publish-schema.ts'
import { readSchema, writeStartingSchema } from './schema-file.ts'
import { describeChanges, describeReport, requireHarmless } from './schema-report.ts'

/** `tenantry schema …` */
export function addSchemaCommands(program: Command, terminal: Terminal): void {
  const schema = program.command('schema').description('manage the profile schema of a tenant')

  schema
    .command('init')
    .description('write a commented profile schema to start from')
    .argument('[file]', 'path of the new file', 'profile-schema.jsonc')
    .action(async (file: string, _options: unknown, command: Command) => {
      const { url, json } = globalOptions(command)
      await writeStartingSchema(file, baseUrlOf(url, terminal), terminal)
      const said = `Wrote ${file}. Edit it, then run: tenantry schema check ${file}\n`
      terminal.write(json ? asJson({ file }) : said)
    })

  schema
    .command('publish')
    .description('publish a profile schema as the current version, unless it breaks something')
    .argument('<file>', 'path of a JSON file, which may have comments; - for standard input')
    .option(...tenantOption)
    .option('--force', 'publish even if profiles or clients of the current schema break')
    .action(async (file: string, { tenant, force }: OfTenant & { force?: true }, command: Command) => {
      const input = (await readSchema(file, terminal)) as AdminInputOf<'publishProfileSchema'>
      await answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) =>
          force ? admin.publishProfileSchema({ tenantId }, input) : publishUnlessBreaking(admin, tenantId, input),
        describePublication,
        { ...readsAllProfiles, require: requirePublished },
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
    .command('versions')
    .description('list the versions of the profile schema, newest first')
    .option(...tenantOption)
    .action(({ tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => allPages((query) => admin.listProfileSchemaVersions({ tenantId }, query)),
        (versions) => table(versions, versionColumns, 'No versions found.'),
      ),
    )

  schema
    .command('diff')
    .description('compare two versions: what the later one breaks')
    .argument('<from>', 'the earlier version')
    .argument('[to]', 'the later version (default: the current one)')
    .option(...tenantOption)
    .action((from: string, to: string | undefined, { tenant }: OfTenant, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.diffProfileSchemas({ tenantId }, { from, to }),
        ({ changes }) => describeChanges(changes),
      ),
    )

  schema
    .command('check')
    .description('report what publishing a profile schema would break; change nothing')
    .argument('<file>', 'path of a JSON file, which may have comments; - for standard input')
    .option(...tenantOption)
    .option('--exit-code', 'exit with 1 if publishing would break something or fail')
    .action(async (file: string, { tenant, exitCode }: OfTenant & { exitCode?: true }, command: Command) => {
      const input = (await readSchema(file, terminal)) as AdminInputOf<'checkProfileSchema'>
      await answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) => admin.checkProfileSchema({ tenantId }, input),
        describeReport,
        { ...readsAllProfiles, ...(exitCode && { require: requireHarmless }) },
      )
    })
}

/** The service reads every stored profile before it answers. */
const readsAllProfiles = { isPatient: true } as const

type Version = AdminOutputOf<'listProfileSchemaVersions'>['items'][number]
const versionColumns = {
  VERSION: ({ version }: Version) => version,
  STATE: ({ state }: Version) => state,
  PUBLISHED: ({ publishedAt }: Version) => publishedAt,
  BY: ({ publishedBy }: Version) => publishedBy,
  PROFILES: ({ profiles }: Version) => profiles,
}
