import { z } from 'zod'
import { DeliveryMethod, Locale } from '../accounts/otp.ts'
import { emailAddress } from '../email-address.ts'
import { operation } from '../operation.ts'
import { phoneNumber } from '../phone-number.ts'
import { DeliveryTemplates, TemplateKind } from '../tenants/delivery-templates.ts'
import { text } from '../text.ts'

const MiB = 1_048_576

const tenantPath = z.object({ tenantId: z.string() })

/** A rendered message of the tenant with sample values. */
export const MessagePreview = z.strictObject({
  subject: z.string().nullable().describe('null for SMS.'),
  text: z.string(),
  html: z.string().nullable().describe('null for SMS.'),
  locale: z.string().describe('The language of the message: the closest match for the requested one.'),
  fallback: z.boolean().describe("true: the tenant's template failed and the built-in text was used instead."),
})
export type MessagePreview = z.infer<typeof MessagePreview>

export const previewMessage = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/delivery/preview',
  summary: 'Preview a message',
  description: 'Renders a message with sample values for the code and the recipient. Sends and stores nothing.',
  auth: 'admin',
  scope: 'messages:write',
  params: tenantPath,
  body: z.object({
    kind: TemplateKind,
    method: DeliveryMethod,
    locale: Locale.optional().describe("Default: the tenant's default locale, or `en`."),
    undo: z
      .boolean()
      .default(true)
      .describe(
        'Whether a notice of `email_changed` or `phone_changed` contains an undo code, as the notice to the replaced address does. Ignored for other kinds.',
      ),
    templates: DeliveryTemplates.optional().describe(
      'Templates to use instead of the stored ones, validated like those of a configuration update.',
    ),
  }),
  maxBodyBytes: MiB,
  status: 201,
  output: MessagePreview,
  errors: ['TENANT_NOT_FOUND'],
})

const testSettings = {
  kind: TemplateKind.default('otp_signin'),
  locale: Locale.optional().describe("Default: the tenant's default locale, or `en`."),
  sender: text({ max: 32 })
    .optional()
    .describe('The name of a single sender to try. Default: every sender of the method. Production only.'),
}

/** The result of one sender for a test message. */
export const SenderAttempt = z.strictObject({
  sender: z
    .string()
    .describe('The name from the sender settings, or its type; further unnamed senders of a type are numbered from 2.'),
  problem: z.string().nullable().describe('Why the sender did not accept the message; null if it did.'),
})
export type SenderAttempt = z.infer<typeof SenderAttempt>

/** The result of a test message. */
export const TestMessageReport = z.strictObject({
  delivered: z.boolean().describe('Whether a sender accepted the message, or the testing channel outside production.'),
  sender: z
    .string()
    .nullable()
    .describe(
      'The first sender, in order of preference, that accepted the message; null for none and for the testing channel.',
    ),
  problem: z.string().nullable().describe('Why no sender accepted the message; null if one did.'),
  attempts: z.array(SenderAttempt).describe('Every sender tried, in order of preference.'),
})
export type TestMessageReport = z.infer<typeof TestMessageReport>

export const sendTestMessage = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/delivery/test',
  summary: 'Send a test message',
  description:
    "Sends a real message with a sample code through each of the tenant's senders and returns the result of each: with two senders, two messages arrive. Ignores open circuits and does not retry. Each SMS counts against the daily budget. Outside production, the message is posted to the testing channel instead.",
  auth: 'admin',
  scope: 'messages:write',
  params: tenantPath,
  body: z.discriminatedUnion('method', [
    z.object({ method: z.literal('email'), to: emailAddress, ...testSettings }),
    z.object({ method: z.literal('sms'), to: phoneNumber, ...testSettings }),
  ]),
  status: 201,
  output: TestMessageReport,
  errors: ['TENANT_NOT_FOUND'],
})
