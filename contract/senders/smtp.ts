import { z } from 'zod'
import { isSoundText } from '../fields/sound-text.ts'
import { fieldTexts, type SenderKind, SenderName } from './sender-kind.ts'

/** Credentials end up in a header or an SMTP command, so they must be a single line. */
const credential = (error: string) =>
  z.string({ error }).refine((value) => isSoundText(value) && /^[^\r\n]{1,256}$/.test(value), { error })

const hostName =
  /^(?=.{1,253}$)(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const ipv6 = /^(?=.{2,45}$)[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*$/

const settings = z
  .strictObject({
    type: z.literal('smtp'),
    name: SenderName,
    host: z
      .string()
      .refine((value) => hostName.test(value) || ipv6.test(value), {
        error: 'Give the host name alone, such as smtp.example.com; the port has its own field',
      })
      .describe('Host name or IP address of the server.')
      .register(fieldTexts, { label: 'Host', placeholder: 'smtp.example.com' }),
    port: z
      .int()
      .min(1, { error: 'Give a port from 1 to 65535, usually 587 or 465' })
      .max(65_535, { error: 'Give a port from 1 to 65535, usually 587 or 465' })
      .default(587)
      .register(fieldTexts, { label: 'Port', description: '587 or 465' }),
    secure: z
      .boolean()
      .optional()
      .describe('true: implicit TLS, the default on port 465. false: STARTTLS, which is then required.'),
    user: credential('Give a user name of 1 to 256 characters').optional().register(fieldTexts, { label: 'User name' }),
    password: credential('Give a password of 1 to 256 characters')
      .optional()
      .register(fieldTexts, { label: 'Password' }),
  })
  .superRefine(({ user, password }, context) => {
    if ((user === undefined) === (password === undefined)) return
    const path = [user === undefined ? 'user' : 'password']
    context.addIssue({ code: 'custom', path, message: 'Give both user and password, or neither' })
  })

/** An SMTP server (RFC 5321). Without `user` and `password`, the connection is not authenticated. */
export const smtp = {
  type: 'smtp',
  methods: ['email'],
  label: 'SMTP server',
  destination: ['{host}:{port}'],
  settings,
  secrets: ['password'],
  environment: ['SMTP_URL', 'MAIL_FROM'],
  advice: [
    [
      /does not offer STARTTLS|only with TLS|agree on a TLS|greet in time/,
      'Use STARTTLS on port 587, or smtps:// ("secure": true) on port 465, and not ?tls=off.',
    ],
  ],
} as const satisfies SenderKind
export type SmtpSettings = z.infer<typeof settings>
