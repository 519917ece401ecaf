import { type Command, Option } from 'commander'
import { DeliveryMethod } from '../../contract/accounts/otp.ts'
import { TemplateKind } from '../../contract/tenants/delivery-templates.ts'
import type { AdminInputOf, AdminOutputOf } from '../../packages/client/src/admin.ts'
import { answerOf } from '../answer.ts'
import { type OfTenant, tenantOption } from '../tenant-argument.ts'
import { readJson } from '../terminal/input.ts'
import { list, shown, table } from '../terminal/layout.ts'
import { writeText } from '../terminal/output-file.ts'
import { CommandFailure, type Terminal } from '../terminal/terminal.ts'
import { adviceFor } from './delivery-advice.ts'

interface TestOptions extends OfTenant {
  readonly locale?: string
  readonly email?: string
  readonly sms?: string
  readonly kind?: TemplateKind
  readonly sender?: string
}

interface PreviewOptions extends OfTenant {
  readonly locale?: string
  readonly kind: TemplateKind
  readonly method: DeliveryMethod
  readonly templates?: string
  readonly html?: string
  readonly undo: boolean
}

/** `tenantry delivery …`: preview and test messages. */
export function addDeliveryCommands(program: Command, terminal: Terminal): void {
  const delivery = program.command('delivery').description('preview and test the messages of a tenant')

  delivery
    .command('test')
    .description('send a message with a sample code through every sender and show the results')
    .option(...tenantOption)
    .option('--email <address>', 'send an e-mail to this address')
    .option('--sms <number>', 'send an SMS to this number, such as +33612345678')
    .addOption(new Option('--kind <kind>', 'kind of message (default: otp_signin)').choices(TemplateKind.options))
    .option('--locale <tag>', 'language, such as fr or pt-BR (default: that of the tenant, or en)')
    .option('--sender <name>', 'test only this sender')
    .action((options: TestOptions, command: Command) => test(options, command, terminal))

  delivery
    .command('preview')
    .description('show a rendered message; nothing is sent')
    .option(...tenantOption)
    .addOption(new Option('--kind <kind>', 'kind of message').choices(TemplateKind.options).makeOptionMandatory())
    .addOption(new Option('--method <method>', 'delivery method').choices(DeliveryMethod.options).makeOptionMandatory())
    .option('--locale <tag>', 'language, such as fr or pt-BR (default: that of the tenant, or en)')
    .option('--no-undo', 'omit the undo code of email_changed and phone_changed notices')
    .option('--templates <file>', 'JSON file with templates to use instead of the stored ones; - for standard input')
    .option('--html <file>', 'write the HTML part of an e-mail to this file')
    .action((options: PreviewOptions, command: Command) => preview(options, command, terminal))
}

async function test(
  { tenant, email, sms, kind, locale, sender }: TestOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  if ((email === undefined) === (sms === undefined)) command.error('error: specify either --email or --sms')
  const recipient =
    email === undefined ? ({ method: 'sms', to: sms! } as const) : ({ method: 'email', to: email } as const)
  await answerOf(
    tenant,
    command,
    terminal,
    (admin, tenantId) => admin.sendTestMessage({ tenantId }, { ...recipient, kind, locale, sender }),
    (report) => describeReport(report, recipient),
    { require: requireDelivered },
  )
}

type Report = AdminOutputOf<'sendTestMessage'>
type Recipient = Pick<AdminInputOf<'sendTestMessage'>, 'method' | 'to'>

function describeReport({ delivered, sender, problem, attempts }: Report, { method, to }: Recipient): string {
  if (delivered && sender === null) {
    return `Posted to the testing channel; nothing is sent to ${shown(to)} outside production.\nRead the message with "tenantry inbox".`
  }
  if (attempts.length === 0) return shown(problem)
  const results = table(
    attempts,
    { SENDER: (attempt) => attempt.sender, RESULT: (attempt) => attempt.problem ?? 'accepted' },
    '',
  )
  if (!delivered) return results
  const problems = attempts.flatMap((attempt) => attempt.problem ?? [])
  return [
    results,
    '',
    `Sent to ${shown(to)} once by each sender that accepted the message. Check that it arrives${method === 'email' ? ', also in the spam folder' : ''}.`,
    ...(problems.length > 0
      ? [`${problems.length} of ${attempts.length} senders failed. Fix them:`, ...adviceFor(problems)]
      : []),
  ].join('\n')
}

/** @throws CommandFailure with advice if no sender accepted the message */
function requireDelivered({ delivered, problem, attempts }: Report): void {
  if (delivered) return
  const problems = [problem ?? '', ...attempts.map((attempt) => attempt.problem ?? '')]
  throw new CommandFailure(['No sender accepted the message.', ...adviceFor(problems)].join('\n'))
}

async function preview(
  { tenant, kind, method, locale, undo, templates, html: file }: PreviewOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  if (file !== undefined && method !== 'email') command.error('error: --html requires --method email')
  const candidate = templates === undefined ? undefined : await readJson(templates, terminal)
  const body = { kind, method, locale, undo, templates: candidate } as AdminInputOf<'previewMessage'>
  await answerOf(
    tenant,
    command,
    terminal,
    async (admin, tenantId) => {
      const message = await admin.previewMessage({ tenantId }, body)
      if (file !== undefined) await writeText(file, message.html ?? '', terminal)
      return message
    },
    (message) => describeMessage(message, file),
  )
}

function describeMessage({ subject, text, locale, fallback }: AdminOutputOf<'previewMessage'>, file?: string): string {
  const lines = text.trimEnd().split('\n')
  return [
    list([...(subject === null ? [] : [['subject', subject] as const]), ['locale', locale]]),
    '',
    ...lines.map((line) => (line === '' ? '' : shown(line))),
    ...(fallback ? ['', "The tenant's template failed; this is the built-in text."] : []),
    ...(file === undefined ? [] : ['', `The HTML part was written to ${file}.`]),
  ].join('\n')
}
