import {
  type AdminInputOf,
  type AdminOutputOf,
  type TenantryAdmin,
  TenantryError,
} from '../../packages/client/src/admin.ts'
import { list } from '../terminal/layout.ts'
import { CommandFailure } from '../terminal/terminal.ts'
import { describeReport, duplicateLines, warningLines } from './schema-report.ts'

type Publication = AdminOutputOf<'publishProfileSchema'>

const LISTED_PAIRS = '"tenantry schema versions --json" lists up to 100 pairs of users under "conflicts"'

/** Publishes the schema unless it breaks something; then the failure lists what. */
export async function publishUnlessBreaking(
  admin: TenantryAdmin,
  tenantId: string,
  input: AdminInputOf<'publishProfileSchema'>,
): Promise<Publication> {
  try {
    return await admin.publishProfileSchema({ tenantId }, input, { ifBreaking: 'refuse' })
  } catch (error) {
    if (!(error instanceof TenantryError) || error.code !== 'PROFILE_SCHEMA_BREAKING') throw error
    const report = await admin.checkProfileSchema({ tenantId }, input)
    const advice =
      Object.keys(report.duplicates ?? {}).length > 0
        ? `Change the values that several users have, then publish again. With --force, publishing fails, and ${LISTED_PAIRS}.`
        : 'Add migrations that keep the values, or publish it with --force.'
    throw new CommandFailure(
      `Nothing was published: the schema would break profiles or clients of the current one.\n\n${describeReport(report)}\n\n${advice}`,
    )
  }
}

/** The state of the version, and what in it cannot work. */
export function describePublication({ warnings, ...publication }: Publication): string {
  const state = describeState(publication)
  const lines = warningLines(warnings)
  return lines.length === 0 ? state : `${state}\n${list(lines)}`
}

function describeState({ version, components, state }: Omit<Publication, 'warnings'>): string {
  switch (state) {
    case 'current':
      return `Version ${version} is current; it has ${components.length} field(s).`
    case 'building':
      return `Version ${version} is building: stored profiles are being indexed. It becomes current when all are indexed, or fails if unique fields have duplicates. "tenantry schema versions" shows its state.`
    case 'failed':
      return `Version ${version} failed; the current version stays.`
    case 'superseded':
      return `Version ${version} is superseded; nothing was published.`
  }
}

/** @throws CommandFailure if the version is not current and will not become so */
export function requirePublished({ version, state, duplicates }: Publication): void {
  if (state === 'failed') {
    const lines = duplicateLines(duplicates ?? {})
    throw new CommandFailure(
      `Version ${version} was not published: unique fields have duplicates.${lines.length > 0 ? `\n${list(lines)}` : ''}\nChange these values, then publish again. ${LISTED_PAIRS}.`,
    )
  }
  if (state === 'superseded') {
    throw new CommandFailure(
      `Version ${version} was published before and has been replaced since. A version cannot become current again: publish the content with another "version", or without one.`,
    )
  }
}
