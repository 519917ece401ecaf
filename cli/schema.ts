import type { Command } from 'commander'
import {
  type AdminInputOf,
  type AdminOutputOf,
  type TenantryAdmin,
  TenantryError,
} from '../packages/client/src/admin.ts'
import { allPages } from './all-pages.ts'
import { answerOf, asJson } from './answer.ts'
import { baseUrlOf } from './connection.ts'
import { list, shown, table } from './layout.ts'
import { readSchema, writeStartingSchema } from './schema-file.ts'
import { type OfTenant, tenantOption } from './tenant-argument.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

/** `tenantry schema …` */
export function addSchemaCommands(program: Command, terminal: Terminal): void {
  const schema = program.command('schema').description('manage the profile schema of a tenant')

  schema
    .command('init')
    .description('write a commented profile schema to start from')
    .argument('[file]', 'path of the new file', 'profile-schema.jsonc')
    .action(async (file: string, _options: unknown, command: Command) => {
      const { url } = command.optsWithGlobals<{ readonly url?: string }>()
      await writeStartingSchema(file, baseUrlOf(url, terminal), terminal)
      terminal.write(`Wrote ${file}. Edit it, then run: tenantry schema check ${file}\n`)
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
          force ? admin.publishProfileSchema({ tenantId }, input) : publish(admin, tenantId, input),
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
        ({ changes }) => table(changes, changeColumns, nothingChanged),
      ),
    )

  schema
    .command('check')
    .description('report what publishing a profile schema would break; change nothing')
    .argument('<file>', 'path of a JSON file, which may have comments; - for standard input')
    .option(...tenantOption)
    .option('--exit-code', 'exit with 1 if publishing would break something')
    .action(async (file: string, { tenant, exitCode }: OfTenant & { exitCode?: true }, command: Command) => {
      const input = (await readSchema(file, terminal)) as AdminInputOf<'checkProfileSchema'>
      let breaks = false
      const check = async (admin: TenantryAdmin, tenantId: string) => {
        const report = await admin.checkProfileSchema({ tenantId }, input)
        breaks = report.changes.length > 0 || (report.failingProfiles ?? 0) > 0
        return report
      }
      await answerOf(tenant, command, terminal, check, describeReport)
      if (exitCode && breaks) throw new CommandFailure('Publishing this schema would break something.')
    })
}

/** Publishes the schema unless it breaks something; then the failure lists what. */
async function publish(admin: TenantryAdmin, tenantId: string, input: AdminInputOf<'publishProfileSchema'>) {
  try {
    return await admin.publishProfileSchema({ tenantId }, input, { ifBreaking: 'refuse' })
  } catch (error) {
    if (!(error instanceof TenantryError) || error.code !== 'PROFILE_SCHEMA_BREAKING') throw error
    const report = describeReport(await admin.checkProfileSchema({ tenantId }, input))
    throw new CommandFailure(
      `Nothing was published: the schema would break profiles or clients of the current one.\n\n${report}\n\nAdd migrations that keep the values, or publish it with --force.`,
    )
  }
}

type Version = AdminOutputOf<'listProfileSchemaVersions'>['items'][number]
const versionColumns = {
  VERSION: ({ version }: Version) => version,
  STATE: ({ state }: Version) => state,
  PUBLISHED: ({ publishedAt }: Version) => publishedAt,
  BY: ({ publishedBy }: Version) => publishedBy,
  PROFILES: ({ profiles }: Version) => profiles,
}

const changeColumns = {
  FIELD: ({ field }: Report['changes'][number]) => field,
  CHANGE: ({ kind }: Report['changes'][number]) => kind,
  WHAT: ({ message }: Report['changes'][number]) => message,
}
const nothingChanged = 'No field is removed, retyped, narrowed or gets a condition.'

type Report = AdminOutputOf<'checkProfileSchema'>

function describeReport(report: Report): string {
  const { changes, profiles, failingProfiles, failingFields, uncastable, untranslated } = report
  const changed = table(changes, changeColumns, nothingChanged)
  const details = [
    ...Object.entries(failingFields ?? {}).map(([field, count]) => [shown(field), `invalid in ${count}`] as const),
    ...Object.entries(uncastable ?? {}).map(([field, count]) => [shown(field), `cannot be cast in ${count}`] as const),
    ...Object.entries(untranslated).map(
      ([tag, texts]) => [shown(tag), `${texts.length} texts not translated`] as const,
    ),
  ]
  const counted =
    profiles === null
      ? 'Stored profiles were not checked; that needs the scope profiles:read.'
      : `${failingProfiles} of ${profiles} stored profiles would become invalid.`
  return [changed, '', counted, ...(details.length > 0 ? [list(details)] : [])].join('\n')
}
