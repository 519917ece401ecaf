import type { Command } from 'commander'
import type { TestingChannelMessage } from '../../contract/system.ts'
import { type AdminOutputOf, TenantryError } from '../../packages/client/src/admin.ts'
import { asJson } from '../answer.ts'
import { connect, connectionOf } from '../connection.ts'
import { followStream } from '../follow-stream.ts'
import { globalOptions } from '../global-options.ts'
import { findTenantId } from '../tenant-argument.ts'
import { shown } from '../terminal/layout.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'

interface InboxOptions {
  readonly tenant?: string
  readonly to?: string
  readonly follow?: true
}

interface Filter {
  readonly tenantId?: string
  readonly recipient?: string
}

/** `tenantry inbox`: the local development inbox. */
export function addInboxCommand(program: Command, terminal: Terminal): void {
  program
    .command('inbox')
    .description('show the e-mail and SMS that a server outside production does not send, with their codes')
    .option('--tenant <tenant>', 'only messages of this tenant, by name or id (default: TENANTRY_TENANT, or all)')
    .option('--to <recipient>', 'only messages to this e-mail address or phone number')
    .option('--follow', 'print new messages as they arrive, until Ctrl-C')
    .action((options: InboxOptions, command: Command) => inbox(options, command, terminal))
}

async function inbox({ tenant, to, follow }: InboxOptions, command: Command, terminal: Terminal): Promise<void> {
  const { url, json } = globalOptions(command)
  const admin = connect(url, terminal)
  const named = tenant ?? (terminal.env['TENANTRY_TENANT'] || undefined)
  const filter: Filter = {
    ...(named !== undefined && { tenantId: await findTenantId(named, admin) }),
    ...(to !== undefined && { recipient: to }),
  }
  const { messages } = await admin.listTestingChannelMessages(filter).catch(explainMissing)
  if (!follow) {
    const text = messages.length === 0 ? 'The inbox has no messages.\n' : messages.map(describe).join('')
    terminal.write(json ? asJson(messages) : text)
    return
  }
  await followStream({
    terminal,
    connection: connectionOf(url, terminal),
    path: `/admin/testing-channel/stream?${new URLSearchParams({ ...filter })}`,
    // After an unknown id the stream starts with all stored messages, of which there are none yet.
    lastId: messages.at(-1)?.id ?? 'none',
    print: (data) => terminal.write(json ? `${data}\n` : describe(JSON.parse(data) as TestingChannelMessage)),
  })
}

function explainMissing(error: unknown): never {
  if (!(error instanceof TenantryError) || error.code !== 'NOT_FOUND') throw error
  throw new CommandFailure(
    'The server has no local development inbox at this URL. In production messages are sent; list them with "tenantry messages list". If the server has ADMIN_PORT set, use that port in --url or TENANTRY_URL.',
  )
}

type Message = AdminOutputOf<'listTestingChannelMessages'>['messages'][number]

/** One line for the message, then its text, indented. */
function describe({ createdAt, deliveryMethod, recipient, scope, code, text }: Message): string {
  const about = [createdAt, deliveryMethod, shown(recipient), scope ?? 'notice', ...(code === null ? [] : [code])]
  const lines = text.trimEnd().split('\n')
  return `${[about.join('  '), ...lines.map((line) => (line === '' ? '' : `    ${shown(line)}`))].join('\n')}\n\n`
}
