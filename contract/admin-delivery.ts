import { z } from 'zod'
import { DeliveryTemplates, TemplateKind } from './delivery-templates.ts'
import { emailAddress } from './email-address.ts'
import { operation } from './operation.ts'
import { DeliveryMethod, Locale } from './otp.ts'
import { phoneNumber } from './phone-number.ts'
import { text } from './text.ts'

const MiB = 1_048_576

const tenantPath = z.object({ tenantId: z.string() })

/** A message of the tenant in words, filled with sample values (design 8). */
export const MessagePreview = z.strictObject({
  subject: z.string().nullable().describe('null for SMS.'),
  text: z.string(),
  html: z.string().nullable().describe('null for SMS.'),
  locale: z.string().describe('The language it is written in, which is the nearest there is to the one asked for.'),
  fallback: z.boolean().describe("true: the tenant's own text failed, and the built-in one took its place."),
})
export type MessagePreview = z.infer<typeof MessagePreview>

export const previewMessage = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/delivery/preview',
  summary: 'Preview a message',
  description:
    'What a message would say, with sample values in place of the code and the recipient. Sends and stores nothing.',
  auth: 'admin',
  params: tenantPath,
  body: z.object({
    kind: TemplateKind,
    method: DeliveryMethod,
    locale: Locale.optional().describe("The tenant's default locale when absent, else `en`."),
    undo: z
      .boolean()
      .default(true)
      .describe(
        'Whether a notice of `email_changed` or `phone_changed` carries an undo code, as the one to the replaced address does. No effect on other kinds.',
      ),
    templates: DeliveryTemplates.optional().describe('Templates to try instead of those stored; judged as a PUT does.'),
  }),
  maxBodyBytes: MiB,
  status: 201,
  output: MessagePreview,
  errors: ['TENANT_NOT_FOUND'],
})

const testSettings = {
  kind: TemplateKind.default('otp_signin'),
  locale: Locale.optional().describe("The tenant's default locale when absent, else `en`."),
  sender: text({ max: 32 })
    .optional()
    .describe('The name of the one sender to try; every one of the method when absent. Production only.'),
}

/** How one sender fared with a test message. */
export const SenderAttempt = z.strictObject({
  sender: z.string().describe('Its name: that of its settings, else `smtp`, `twilio`, `http`, `http-2`, …'),
  problem: z.string().nullable().describe('What is wrong with it, in plain words; null when it took the message.'),
})
export type SenderAttempt = z.infer<typeof SenderAttempt>

/** What came of a test message. */
export const TestMessageReport = z.strictObject({
  delivered: z.boolean().describe('A sender took it, or outside production the testing channel.'),
  sender: z
    .string()
    .nullable()
    .describe('The first sender in the order of preference that took it; null for none, and for the testing channel.'),
  problem: z.string().nullable().describe('Why nobody took it; null when somebody did.'),
  attempts: z.array(SenderAttempt).describe('Every sender that was tried, in the order of preference.'),
})
export type TestMessageReport = z.infer<typeof TestMessageReport>

export const sendTestMessage = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/delivery/test',
  summary: 'Send a test message',
  description:
    "Sends a real message with a sample code through each of the tenant's senders, past the breakers and without a retry, and tells how each fared: with two senders two messages arrive. Each SMS counts against the daily budget. Outside production it is posted to the testing channel instead.",
  auth: 'admin',
  params: tenantPath,
  body: z.discriminatedUnion('method', [
    z.object({ method: z.literal('email'), to: emailAddress, ...testSettings }),
    z.object({ method: z.literal('sms'), to: phoneNumber, ...testSettings }),
  ]),
  status: 201,
  output: TestMessageReport,
  errors: ['TENANT_NOT_FOUND'],
})
