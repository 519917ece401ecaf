import { type Command, Option } from 'commander'
import type { RecordedEvent } from '../../contract/events.ts'
import type { AdminInputOf, TenantryAdmin } from '../../packages/client/src/admin.ts'
import { firstItems } from '../all-pages.ts'
import { answer } from '../answer.ts'
import { connect, connectionOf } from '../connection.ts'
import { followStream } from '../follow-stream.ts'
import { globalOptions } from '../global-options.ts'
import { shown, table } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { time } from '../terminal/time.ts'
import { count } from '../terminal/whole-number.ts'
import { addEventFileCommands } from './event-files.ts'
import { addLogOptions, findLog, type OfLog } from './log-argument.ts'
import { addVerifyCommand } from './verify-events.ts'

interface ListOptions extends OfLog, Filter {
  readonly request?: string
  readonly limit: number
}

type Filter = Omit<NonNullable<AdminInputOf<'listEvents'>>, 'limit' | 'cursor' | 'requestId'>

/** `tenantry events …`: the event log of a tenant or of the deployment. */
export function addEventCommands(program: Command, terminal: Terminal): void {
  const events = program
    .command('events')
    .description('list, follow, export and verify the events of a tenant or of the deployment')

  addLogOptions(events.command('list'))
    .description('list events, newest first')
    .option('--type <type>', 'only events of this type, such as session.ended or session.*')
    .option('--actor <id>', 'only acts of this user, operator or tenant key; root for the root key')
    .option('--subject <id>', 'only events about this user, tenant key or other subject')
    .addOption(new Option('--outcome <outcome>', 'only events with this outcome').choices(['done', 'refused']))
    .option('--request <id>', 'only events of this request')
    .option('--since <time>', 'only events at this time or later', time)
    .option('--until <time>', 'only events before this time', time)
    .option('--limit <count>', 'maximum number of events', count, 50)
    .action(({ tenant, deployment, request, limit, ...filter }: ListOptions, command: Command) =>
      answer(
        command,
        terminal,
        async (admin) => {
          const log = await findLog(
            { ...(tenant !== undefined && { tenant }), ...(deployment && { deployment }) },
            admin,
            terminal,
          )
          const sought = { ...filter, ...(request !== undefined && { requestId: request }) }
          const found = await firstItems(limit, (page) =>
            log === null
              ? admin.listDeploymentEvents({ ...sought, ...page })
              : admin.listEvents({ tenantId: log }, { ...sought, ...page }),
          )
          return found as RecordedEvent[]
        },
        (found) => table(found, columns, 'No events found.'),
      ),
    )

  addLogOptions(events.command('tail'))
    .description('print events as they are sealed, until Ctrl-C')
    .action((options: OfLog, command: Command) => tail(options, command, terminal))

  addEventFileCommands(events, terminal)
  addVerifyCommand(events, terminal)
}

async function tail(options: OfLog, command: Command, terminal: Terminal): Promise<void> {
  const { url, json } = globalOptions(command)
  const admin = connect(url, terminal)
  const tenantId = await findLog(options, admin, terminal)
  await followStream({
    terminal,
    connection: connectionOf(url, terminal),
    path: tenantId === null ? '/admin/events/stream' : `/admin/tenants/${tenantId}/events/stream`,
    // Without one, a connection that breaks off before the first event would lose the events until the next connection.
    lastId: String(await lastSequence(admin, tenantId)),
    print: (data) => terminal.write(json ? `${data}\n` : `${inOneLine(JSON.parse(data) as RecordedEvent)}\n`),
  })
}

/** The sequence of the newest event; 0 in an empty log. */
async function lastSequence(admin: TenantryAdmin, tenantId: string | null): Promise<number> {
  const newest = { limit: '1' }
  const { items } =
    tenantId === null
      ? await admin.listDeploymentCheckpoints(newest)
      : await admin.listCheckpoints({ tenantId }, newest)
  const [batch] = items
  return batch === undefined ? 0 : batch.firstSequence + batch.count - 1
}

const named = ({ kind, id }: { kind: string; id: string | null }): string => (id === null ? kind : `${kind} ${id}`)

const columns = {
  AT: (event: RecordedEvent) => event.at,
  TYPE: (event: RecordedEvent) => event.type,
  ACTOR: (event: RecordedEvent) => named(event.actor),
  SUBJECT: (event: RecordedEvent) => named(event.subject),
  OUTCOME: (event: RecordedEvent) => event.code ?? event.outcome,
  CHANGED: (event: RecordedEvent) => Object.keys(event.changes ?? {}),
  NETWORK: (event: RecordedEvent) => event.where.network,
}

const inOneLine = (event: RecordedEvent): string =>
  Object.values(columns)
    .map((cell) => shown(cell(event)))
    .join('  ')
