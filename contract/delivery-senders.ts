import { z } from 'zod'
import { isSoundText } from './text.ts'

/** A string that must match a pattern; every violation has the same message. */
const matching = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error })

/** Identifies the sender in the state of a message; unique in a list. */
const SenderName = matching(
  /^[a-z0-9][a-z0-9-]{0,31}$/,
  'Name a sender with 1 to 32 lower-case letters, digits and hyphens',
).optional()

/** Returned in place of a stored secret; sent back, it keeps that secret. */
export const maskedSecret = '••••'

/** Credentials end up in a header or an SMTP command, so they must be a single line. */
const credential = (error: string) =>
  z.string({ error }).refine((value) => isSoundText(value) && /^[^\r\n]{1,256}$/.test(value), { error })

const hostName =
  /^(?=.{1,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const ipv6 = /^(?=.{2,45}$)[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*$/

/** An SMTP server (RFC 5321). Without `user` and `password`, the connection is not authenticated. */
export const SmtpSenderSettings = z
  .strictObject({
    type: z.literal('smtp'),
    name: SenderName,
    host: z
      .string()
      .refine((value) => hostName.test(value) || ipv6.test(value), {
        error: 'Give the host name alone, such as smtp.example.com; the port has its own field',
      })
      .describe('Host name or IP address of the server.'),
    port: z
      .int()
      .min(1, { error: 'Give a port from 1 to 65535, usually 587 or 465' })
      .max(65_535, { error: 'Give a port from 1 to 65535, usually 587 or 465' })
      .default(587),
    secure: z
      .boolean()
      .optional()
      .describe('true: implicit TLS, the default on port 465. false: STARTTLS, which is then required.'),
    user: credential('Give a user name of 1 to 256 characters').optional(),
    password: credential('Give a password of 1 to 256 characters').optional(),
  })
  .superRefine(({ user, password }, context) => {
    if ((user === undefined) === (password === undefined)) return
    const path = [user === undefined ? 'user' : 'password']
    context.addIssue({ code: 'custom', path, message: 'Give both user and password, or neither' })
  })
export type SmtpSenderSettings = z.infer<typeof SmtpSenderSettings>

const twilioFrom = 'Give a number such as +33612345678, a short code, or a name of up to 11 letters and digits'

/** An account at Twilio. Exactly one of `from` and `messagingServiceSid`. */
export const TwilioSenderSettings = z
  .strictObject({
    type: z.literal('twilio'),
    name: SenderName,
    accountSid: matching(/^AC[0-9a-f]{32}$/, 'Give the Account SID: AC and 32 hexadecimal digits'),
    authToken: matching(
      /^(?:••••|[\x21-\x7e]{16,128})$/,
      'Give the Auth Token of the account, as its console shows it',
    ),
    from: matching(
      /^(\+[1-9][0-9]{6,14}|[0-9]{3,8}|(?=[0-9 ]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ]{0,10})$/,
      twilioFrom,
    ).optional(),
    messagingServiceSid: matching(
      /^MG[0-9a-f]{32}$/,
      'Give the SID of the service: MG and 32 hexadecimal digits',
    ).optional(),
  })
  .superRefine(({ from, messagingServiceSid }, context) => {
    if ((from === undefined) !== (messagingServiceSid === undefined)) return
    context.addIssue({ code: 'custom', path: ['from'], message: 'Give either from or messagingServiceSid' })
  })
export type TwilioSenderSettings = z.infer<typeof TwilioSenderSettings>

const wholeUrl = 'Give a whole URL such as https://sms.example.com/messages, without user name and password'

/** A gateway that accepts messages as JSON, signed by the Standard Webhooks scheme. https in production. */
export const HttpSenderSettings = z.strictObject({
  type: z.literal('http'),
  name: SenderName,
  url: z.string().max(2048, { error: 'Give a URL of at most 2048 characters' }).refine(isPostable, { error: wholeUrl }),
  secret: matching(
    /^(?:••••|whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})?)$/,
    'Give whsec_ and the base64 of 24 to 64 random bytes, as from: echo whsec_$(openssl rand -base64 32)',
  ).describe('The shared secret with which the gateway verifies signatures.'),
})
export type HttpSenderSettings = z.infer<typeof HttpSenderSettings>

function isPostable(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === ''
}

/** A sender of e-mail. */
export const EmailSender = z.discriminatedUnion('type', [SmtpSenderSettings, HttpSenderSettings])
export type EmailSender = z.infer<typeof EmailSender>

/** A sender of SMS. */
export const SmsSender = z.discriminatedUnion('type', [TwilioSenderSettings, HttpSenderSettings])
export type SmsSender = z.infer<typeof SmsSender>

/** A sender of either method. */
export type SenderSettings = EmailSender | SmsSender

/** Fields that are encrypted at rest and never returned, by sender type. */
export const secretFields = {
  smtp: ['password'],
  twilio: ['authToken'],
  http: ['secret'],
} as const satisfies Record<SenderSettings['type'], readonly string[]>

const inOrder = <T extends z.ZodType<SenderSettings>>(sender: T) =>
  z
    .array(sender)
    .max(5, { error: 'List at most 5 senders' })
    .superRefine((senders: readonly SenderSettings[], context) => {
      const seen = new Set<string>()
      for (const [index, { name }] of senders.entries()) {
        if (name !== undefined && seen.has(name))
          context.addIssue({
            code: 'custom',
            path: [index, 'name'],
            message: 'Duplicate sender name; sender names must be unique',
          })
        if (name !== undefined) seen.add(name)
      }
    })

/** A tenant's e-mail senders in order of preference. */
export const EmailSenders = inOrder(EmailSender)
/** A tenant's SMS senders in order of preference. */
export const SmsSenders = inOrder(SmsSender)

/** The name of each sender in a list: the configured one, or the first unused of `smtp`, `smtp-2`, `smtp-3`, … */
export function senderNames(senders: readonly Pick<SenderSettings, 'type' | 'name'>[]): string[] {
  const taken = new Set(senders.flatMap(({ name }) => name ?? []))
  return senders.map(({ type, name }) => {
    if (name !== undefined) return name
    let free: string = type
    for (let number = 2; taken.has(free); number++) free = `${type}-${number}`
    taken.add(free)
    return free
  })
}
