import { Alert, List, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { State } from '../../parts/state.tsx'
import type { CheckReport as Report } from '../schema-queries.ts'

const count = new Intl.NumberFormat('en')

/** `birthDate (3), vat (1)`, the most first. */
const byField = (counts: Report['failingFields']): string =>
  Object.entries(counts ?? {})
    .toSorted(([, one], [, other]) => other - one)
    .map(([field, number]) => `${field} (${count.format(number)})`)
    .join(', ')

function stayingValid(profiles: number): string {
  if (profiles === 0) return 'No profile is stored yet.'
  return profiles === 1
    ? 'The one stored profile stays valid.'
    : `All ${count.format(profiles)} stored profiles stay valid.`
}

const tones = { removed: 'bad', retyped: 'bad', narrowed: 'warn', conditional: 'info' } as const

/** What publishing would do to stored profiles and to apps. Stands in a status, so that its parts are not alerts. */
export function CheckReport({ report }: { readonly report: Report }) {
  // During a rolling upgrade a server of the version before answers no warnings.
  const { changes, profiles, untranslated, warnings = [] } = report
  const failingProfiles = report.failingProfiles ?? 0
  const duplicates = byField(report.duplicates)
  const uncastable = byField(report.uncastable)
  const isClean = changes.length === 0 && failingProfiles === 0 && duplicates === ''
  const languages = Object.entries(untranslated)
  return (
    <Stack gap="sm">
      {isClean && (
        <Alert color="teal" variant="light" role="note" icon={<IconCircleCheck />} p="sm">
          <Text size="sm">
            {`No field is lost or accepts less.${profiles === null ? '' : ` ${stayingValid(profiles)}`}`}
          </Text>
        </Alert>
      )}
      {profiles === null && (
        <Note tone="yellow">
          Stored profiles were not checked, because your scopes do not include profiles:read. Values that the new
          version refuses stay stored; users must correct these fields with their next change of them.
        </Note>
      )}
      {failingProfiles > 0 && (
        <Note tone="red">
          {count.format(failingProfiles)} of {count.format(profiles ?? 0)} profiles would fail:{' '}
          {byField(report.failingFields)}. They stay stored; users must correct these fields with their next change of
          them.
        </Note>
      )}
      {duplicates !== '' && (
        <Note tone="red">
          Publishing would fail, because users have the same value of a unique field: {duplicates}.
        </Note>
      )}
      {uncastable !== '' && <Note tone="yellow">Values that cannot be cast, and read as empty: {uncastable}.</Note>}
      {changes.length > 0 && (
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            What apps and users notice
          </Text>
          <List size="sm" spacing={6} listStyleType="none" withPadding={false}>
            {changes.map(({ field, kind, message }) => (
              <List.Item key={`${field} ${kind} ${message}`}>
                <State tone={tones[kind]}>{kind}</State> <strong>{field}</strong>: {message}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
      {warnings.length > 0 && (
        <Note tone="yellow">
          <strong>Parts that cannot work:</strong>
          {warnings.map(({ path, message }) => (
            <Text size="sm" key={`${path} ${message}`}>
              {path}: {message}.
            </Text>
          ))}
        </Note>
      )}
      {languages.length > 0 && (
        <Text size="sm" c="dimmed">
          Texts without a translation:{' '}
          {languages.map(([tag, paths]) => `${tag} (${count.format(paths.length)})`).join(', ')}.
        </Text>
      )}
    </Stack>
  )
}

function Note({ tone, children }: { readonly tone: string; readonly children: ReactNode }) {
  return (
    <Alert color={tone} variant="light" role="note" p="sm">
      <Text size="sm" component="div">
        {children}
      </Text>
    </Alert>
  )
}
