import { z } from 'zod'
import { fieldTexts, matching, type SenderKind, SenderName } from './sender-kind.ts'

const twilioFrom = 'Give a number such as +33612345678, a short code, or a name of up to 11 letters and digits'

const settings = z
  .strictObject({
    type: z.literal('twilio'),
    name: SenderName,
    accountSid: matching(/^AC[0-9a-f]{32}$/, 'Give the Account SID: AC and 32 hexadecimal digits').register(
      fieldTexts,
      { label: 'Account SID', placeholder: 'AC…' },
    ),
    authToken: matching(
      /^(?:\u2022{4}|[\x21-\x7e]{16,128})$/,
      'Give the Auth Token of the account, as its console shows it',
    ).register(fieldTexts, { label: 'Auth token' }),
    from: matching(/^(\+[1-9][0-9]{6,14}|[0-9]{3,8}|(?=[0-9 ]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ]{0,10})$/, twilioFrom)
      .optional()
      .register(fieldTexts, {
        label: 'From',
        placeholder: '+33612345678',
        description: 'A number, a short code or a name.',
      }),
    messagingServiceSid: matching(/^MG[0-9a-f]{32}$/, 'Give the SID of the service: MG and 32 hexadecimal digits')
      .optional()
      .register(fieldTexts, { label: 'Messaging service SID', description: 'In place of From.' }),
  })
  .superRefine(({ from, messagingServiceSid }, context) => {
    if ((from === undefined) !== (messagingServiceSid === undefined)) return
    context.addIssue({ code: 'custom', path: ['from'], message: 'Give either from or messagingServiceSid' })
  })

/** An account at Twilio. Exactly one of `from` and `messagingServiceSid`. */
export const twilio = {
  type: 'twilio',
  methods: ['sms'],
  label: 'Twilio',
  destination: ['{from}', '{messagingServiceSid}', '{accountSid}'],
  settings,
  secrets: ['authToken'],
  environment: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  advice: [],
} as const satisfies SenderKind
export type TwilioSettings = z.infer<typeof settings>
