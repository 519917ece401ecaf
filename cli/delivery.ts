import { type Command, Option } from 'commander'
import type { InputOf, OutputOf } from '../client/methods.ts'
import { TemplateKind } from '../contract/delivery-templates.ts'
import { DeliveryMethod } from '../contract/otp.ts'
import { answer } from './answer.ts'
import { adviceFor } from './delivery-advice.ts'
import { readJson } from './input.ts'
import { list, shown, table } from './layout.ts'
import { writeText } from './output-file.ts'
import { CommandFailure, type Terminal } from './terminal.ts'

interface OfTenant {
  readonly tenant: string
  readonly locale?: string
}

interface TestOptions extends OfTenant {
  readonly email?: string
  readonly sms?: string
  readonly kind?: TemplateKind
  readonly sender?: string
}

interface PreviewOptions extends OfTenant {
  readonly kind: TemplateKind
  readonly method: DeliveryMethod
  readonly templates?: string
  readonly html?: string
  readonly undo: boolean
}

/** `tenantry delivery …`: do messages arrive, and what do they say. */
export function addDeliveryCommands(program: Command, terminal: Terminal): void {
  const delivery = program.command('delivery').description('How messages of a tenant look, and whether they arrive')

  delivery
    .command('test')
    .description('send a message with a sample code through every sender, and say how each fared')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .option('--email <address>', 'send it there by e-mail')
    .option('--sms <number>', 'send it there by SMS: a number such as +33612345678')
    .addOption(new Option('--kind <kind>', 'what it is about (default: otp_signin)').choices(TemplateKind.options))
    .option('--locale <tag>', "its language, such as fr or pt-BR (default: the tenant's, else en)")
    .option('--sender <name>', 'try this sender alone')
    .action((options: TestOptions, command: Command) => test(options, command, terminal))

  delivery
    .command('preview')
    .description('show what a message says; nothing is sent')
    .requiredOption('--tenant <id>', 'id of the tenant')
    .addOption(new Option('--kind <kind>', 'what it is about').choices(TemplateKind.options).makeOptionMandatory())
    .addOption(new Option('--method <method>', 'how it goes').choices(DeliveryMethod.options).makeOptionMandatory())
    .option('--locale <tag>', "its language, such as fr or pt-BR (default: the tenant's, else en)")
    .option('--no-undo', 'without the undo code that a notice of email_changed or phone_changed may carry')
    .option('--templates <file>', 'JSON with templates to try instead of those stored; - is standard input')
    .option('--html <file>', 'write the HTML of an e-mail to this file')
    .action((options: PreviewOptions, command: Command) => preview(options, command, terminal))
}

async function test(
  { tenant: tenantId, email, sms, kind, locale, sender }: TestOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  if ((email === undefined) === (sms === undefined)) command.error('error: give either --email or --sms')
  const recipient =
    email === undefined ? ({ method: 'sms', to: sms! } as const) : ({ method: 'email', to: email } as const)
  let report: Report | undefined
  await answer(
    command,
    terminal,
    async (admin) => {
      report = await admin.sendTestMessage({ tenantId }, { ...recipient, kind, locale, sender })
      return report
    },
    (told) => describeReport(told, recipient),
  )
  if (report?.delivered === false) {
    const problems = [report.problem ?? '', ...report.attempts.map(({ problem }) => problem ?? '')]
    throw new CommandFailure(['Nobody took the message.', ...adviceFor(problems)].join('\n'))
  }
}

type Report = OutputOf<'sendTestMessage'>
type Recipient = Pick<InputOf<'sendTestMessage'>, 'method' | 'to'>

function describeReport({ delivered, sender, problem, attempts }: Report, { method, to }: Recipient): string {
  if (delivered && sender === null) {
    return `Posted to the testing channel: outside production nothing is sent to ${shown(to)}.\nRead it with GET /admin/testing-channel/messages.`
  }
  if (attempts.length === 0) return shown(problem)
  const fared = table(
    attempts,
    { SENDER: (attempt) => attempt.sender, RESULT: (attempt) => attempt.problem ?? 'took the message' },
    '',
  )
  if (!delivered) return fared
  const problems = attempts.flatMap((attempt) => attempt.problem ?? [])
  return [
    fared,
    '',
    `Sent to ${shown(to)}, once by each sender that took it. See that it arrives${method === 'email' ? ', and look among the spam too' : ''}.`,
    ...(problems.length > 0
      ? [
          `${problems.length} of ${attempts.length} senders failed: mend them before they are needed.`,
          ...adviceFor(problems),
        ]
      : []),
  ].join('\n')
}

async function preview(
  { tenant: tenantId, kind, method, locale, undo, templates, html: file }: PreviewOptions,
  command: Command,
  terminal: Terminal,
): Promise<void> {
  if (file !== undefined && method !== 'email') command.error('error: only e-mails have HTML: leave out --html')
  const candidate = templates === undefined ? undefined : await readJson(templates, terminal)
  const body = { kind, method, locale, undo, templates: candidate } as InputOf<'previewMessage'>
  await answer(
    command,
    terminal,
    async (admin) => {
      const message = await admin.previewMessage({ tenantId }, body)
      if (file !== undefined) await writeText(file, message.html ?? '', terminal)
      return message
    },
    (message) => describeMessage(message, file),
  )
}

function describeMessage({ subject, text, locale, fallback }: OutputOf<'previewMessage'>, file?: string): string {
  const lines = text.trimEnd().split('\n')
  return [
    list([...(subject === null ? [] : [['subject', subject] as const]), ['locale', locale]]),
    '',
    ...lines.map((line) => (line === '' ? '' : shown(line))),
    ...(fallback ? ['', "The tenant's own text failed: this is the built-in one."] : []),
    ...(file === undefined ? [] : ['', `The HTML is in ${file}: open it in a browser.`]),
  ].join('\n')
}
