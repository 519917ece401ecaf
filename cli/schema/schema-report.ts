import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { list, shown, table } from '../terminal/layout.ts'
import { CommandFailure } from '../terminal/terminal.ts'

type Report = AdminOutputOf<'checkProfileSchema'>

const changeColumns = {
  FIELD: ({ field }: Report['changes'][number]) => field,
  CHANGE: ({ kind }: Report['changes'][number]) => kind,
  WHAT: ({ message }: Report['changes'][number]) => message,
}

/** What a schema breaks for profiles and clients of an earlier one. */
export const describeChanges = (changes: Report['changes']): string =>
  table(changes, changeColumns, 'No field is removed, retyped, narrowed or gets a condition.')

/** @throws CommandFailure if publishing would break something, or fail */
export function requireHarmless(report: Report): void {
  const { changes, failingProfiles } = report
  const reasons = failures(report)
  if (reasons.length > 0) throw new CommandFailure(`Publishing this schema would fail: ${reasons.join(' ')}`)
  if (changes.length > 0 || (failingProfiles ?? 0) > 0)
    throw new CommandFailure('Publishing this schema would break something.')
}

/** What publishing a schema would break, for people. */
export function describeReport(report: Report): string {
  const { changes, profiles, failingProfiles, failingFields, uncastable, duplicates, untranslated, warnings } = report
  const details = [
    ...Object.entries(failingFields ?? {}).map(([field, count]) => [shown(field), `invalid in ${count}`] as const),
    ...Object.entries(uncastable ?? {}).map(([field, count]) => [shown(field), `cannot be cast in ${count}`] as const),
    ...duplicateLines(duplicates ?? {}),
    ...Object.entries(untranslated).map(
      ([tag, texts]) => [shown(tag), `${texts.length} texts not translated`] as const,
    ),
    ...warningLines(warnings),
  ]
  const counted =
    profiles === null
      ? 'Stored profiles were not checked; that needs the scope profiles:read.'
      : `${failingProfiles} of ${profiles} stored profiles would become invalid.`
  const refused = failures(report).map((reason) => `Publishing would fail: ${reason}`)
  const lines = [describeChanges(changes), '', counted, ...refused, ...(details.length > 0 ? [list(details)] : [])]
  return lines.join('\n')
}

/** Parts of a schema that cannot work. A server of an earlier version answers none. */
export const warningLines = (warnings: Report['warnings'] = []): (readonly [string, string])[] =>
  warnings.map(({ path, message }) => [shown(path), `Warning: ${message}.`])

const anotherVersion = 'choose another "version", or leave it out.'

/** Why `schema publish` would fail, even with --force. */
function failures({ effect, duplicates }: Report): string[] {
  const reasons: string[] = []
  if (effect === 'taken') reasons.push(`this version is published with other content; ${anotherVersion}`)
  if (effect === 'superseded') reasons.push(`this version was published before, and replaced since; ${anotherVersion}`)
  if (effect === 'waiting') reasons.push('another version is building; wait until it is current.')
  if (Object.keys(duplicates ?? {}).length > 0) reasons.push('unique fields have duplicates.')
  return reasons
}

/** @param duplicates the number of values that several users have, by field */
export const duplicateLines = (duplicates: Readonly<Record<string, number>>): (readonly [string, string])[] =>
  Object.entries(duplicates).map(([field, count]) => [shown(field), `${count} value(s) that several users have`])
