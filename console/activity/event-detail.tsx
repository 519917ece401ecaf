import { Code, Drawer, Stack, Table, Text, Title } from '@mantine/core'
import { IconZoomCancel } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Id } from '../parts/id.tsx'
import { Empty } from '../parts/pages/empty.tsx'
import { Fact, Facts } from '../parts/pages/facts.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import classes from './activity.module.css'
import { Outcome } from './event-list.tsx'
import { Party } from './party.tsx'
import type { RecordedEvent } from './recorded-event.ts'
import { Sentence } from './sentence.tsx'

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })

interface EventDetailProps {
  /** null: the log does not have it. */
  readonly event: RecordedEvent | null | undefined
  /** Why it could not be read, and how to read it again. */
  readonly error?: unknown
  readonly retry?: () => void
  readonly onClose: () => void
}

/** Everything that is recorded of an event. */
export function EventDetail({ event, error, retry, onClose }: EventDetailProps) {
  return (
    <Drawer
      opened={event !== undefined || error !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={<Text fw={650}>Event</Text>}
    >
      {event === null && (
        <Empty title="No such event in this log" Icon={IconZoomCancel}>
          It may be in the log of another tenant or of the deployment, or have been deleted when its time was over.
        </Empty>
      )}
      {event && <Details event={event} />}
      {error !== undefined && <Problem error={error} {...(retry && { retry })} />}
    </Drawer>
  )
}

function Details({ event }: { readonly event: RecordedEvent }) {
  const { type, at, outcome, code, actor, subject, tenantId, where, details = {}, changes = {} } = event
  return (
    <Stack gap="lg" fz="sm">
      <Text fw={600} component="div">
        <Sentence event={event} />
      </Text>
      <Facts>
        <Fact name="Time">
          <time dateTime={at}>{exact.format(new Date(at))}</time>
        </Fact>
        <Fact name="Type">
          <Code>{type}</Code>
        </Fact>
        <Fact name="Outcome">
          <Outcome outcome={outcome} /> {code && <Code>{code}</Code>}
        </Fact>
        <Fact name="By">
          <Party {...actor} tenantId={tenantId} />
          {actor.id !== null && <ById id={actor.id} what="id" filter="actorId" words="All acts" />}
        </Fact>
        <Fact name="About">
          <Party {...subject} tenantId={tenantId} />
          {subject.id !== null && <ById id={subject.id} what="id" filter="subjectId" words="Everything about it" />}
        </Fact>
        <Fact name="Network">{where.network ?? '–'}</Fact>
        <Fact name="Browser">{where.userAgent ?? '–'}</Fact>
        <Fact name="Request">
          {where.requestId === null ? (
            '–'
          ) : (
            <ById id={where.requestId} what="request id" filter="requestId" words="The whole request" />
          )}
        </Fact>
        <Fact name="Event">
          <Id value={event.id} what="event id" />
        </Fact>
        <Fact name="Number">{event.sequence.toLocaleString('en')}</Fact>
        {Object.entries(details).map(([name, value]) => (
          <Fact key={name} name={name}>
            <bdi>{shown(value)}</bdi>
          </Fact>
        ))}
      </Facts>
      {Object.keys(changes).length > 0 && <Changes changes={changes} />}
    </Stack>
  )
}

interface ByIdProps {
  readonly id: string
  readonly what: string
  readonly filter: 'actorId' | 'subjectId' | 'requestId'
  readonly words: string
}

/** An id, and a link to the events that have it. */
function ById({ id, what, filter, words }: ByIdProps) {
  return (
    <Stack gap={2} align="flex-start">
      <Id value={id} what={what} />
      <Link className={classes['link']} to="." search={() => ({ [filter]: id })}>
        {words}
      </Link>
    </Stack>
  )
}

function Changes({ changes }: { readonly changes: NonNullable<RecordedEvent['changes']> }) {
  return (
    <div>
      <Title order={2} size="h5" mb="xs">
        Changes
      </Title>
      <Table.ScrollContainer minWidth={320}>
        <Table aria-label="Changes" borderColor="var(--line)">
          <Table.Thead>
            <Table.Tr>
              {['Name', 'Before', 'After'].map((header) => (
                <Table.Th key={header} scope="col" fz="xs" c="dimmed">
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {Object.entries(changes).map(([name, change]) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <bdi>{name}</bdi>
                </Table.Td>
                <Value change={change} side="before" />
                <Value change={change} side="after" />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  )
}

/** A value that may not be shown, or whose person was erased, is a dash. */
const Value = ({
  change,
  side,
}: {
  readonly change: { before?: unknown; after?: unknown }
  readonly side: 'before' | 'after'
}) => (
  <Table.Td style={{ overflowWrap: 'anywhere' }}>{side in change ? <bdi>{shown(change[side])}</bdi> : '–'}</Table.Td>
)

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ') || 'none'
  if (value === null) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
