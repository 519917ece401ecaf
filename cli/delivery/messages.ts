import { type Command, Option } from 'commander'
import { type ManagedMessage, MessageState } from '../../contract/admin/messages.ts'
import { firstItems } from '../all-pages.ts'
import { answerOf } from '../answer.ts'
import { type OfTenant, tenantOption } from '../tenant-argument.ts'
import { list, table } from '../terminal/layout.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { count } from '../terminal/whole-number.ts'

interface ListOptions extends OfTenant {
  readonly state?: MessageState
  readonly to?: string
  readonly otp?: string
  readonly limit: number
}

/** `tenantry messages …`: the state of messages. */
export function addMessageCommands(program: Command, terminal: Terminal): void {
  const messages = program.command('messages').description('list and retry the messages of a tenant')

  messages
    .command('list')
    .description('list messages, newest first')
    .option(...tenantOption)
    .addOption(new Option('--state <state>', 'only messages in this state').choices(MessageState.options))
    .option('--to <recipient>', 'only messages to this e-mail address or phone number')
    .option('--otp <id>', 'only messages of this one-time password')
    .option('--limit <count>', 'maximum number of messages', count, 50)
    .action(({ tenant, state, to, otp, limit }: ListOptions, command: Command) =>
      answerOf(
        tenant,
        command,
        terminal,
        (admin, tenantId) =>
          // Not all pages: a tenant has as many messages as sign-ins.
          firstItems(limit, (page) => admin.listMessages({ tenantId }, { state, recipient: to, otpId: otp, ...page })),
        (found) => table(found, columns, 'No messages found.'),
      ),
    )

  messages
    .command('retry')
    .description('send a failed message again, while its code is valid')
    .argument('<message>', 'id of the message')
    .option(...tenantOption)
    .action((messageId: string, { tenant }: OfTenant, command: Command) =>
      answerOf(tenant, command, terminal, (admin, tenantId) => admin.retryMessage({ tenantId, messageId }), describe),
    )
}

const about = ({ kind, scope }: ManagedMessage): string => scope ?? kind

const columns = {
  ID: (message: ManagedMessage) => message.id,
  ABOUT: about,
  BY: (message: ManagedMessage) => message.deliveryMethod,
  TO: (message: ManagedMessage) => message.recipient,
  STATE: (message: ManagedMessage) => message.state,
  ATTEMPTS: (message: ManagedMessage) => message.attempts,
  CREATED: (message: ManagedMessage) => message.createdAt,
  SENDER: (message: ManagedMessage) => message.sender,
  'LAST ERROR': (message: ManagedMessage) => message.lastError,
}

const describe = (message: ManagedMessage): string =>
  list([
    ['id', message.id],
    ['about', about(message)],
    ['by', message.deliveryMethod],
    ['to', message.recipient],
    ['state', message.state],
    ['next attempt', message.nextAttemptAt],
    ['expires', message.expiresAt],
  ])
