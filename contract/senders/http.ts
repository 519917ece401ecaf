import { z } from 'zod'
import { fieldTexts, matching, type SenderKind, SenderName } from './sender-kind.ts'

const wholeUrl = 'Give a whole URL such as https://sms.example.com/messages, without user name and password'

const settings = z.strictObject({
  type: z.literal('http'),
  name: SenderName,
  url: z
    .string()
    .max(2048, { error: 'Give a URL of at most 2048 characters' })
    .refine(isPostable, { error: wholeUrl })
    .register(fieldTexts, { label: 'URL', placeholder: 'https://gateway.example.com/messages' }),
  secret: matching(
    /^(?:\u2022{4}|whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})?)$/,
    'Give whsec_ and the base64 of 24 to 64 random bytes, as from: echo whsec_$(openssl rand -base64 32)',
  )
    .describe('The shared secret with which the gateway verifies signatures.')
    .register(fieldTexts, { label: 'Signing secret', description: 'whsec_ and base64' }),
})

function isPostable(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === ''
}

/** A gateway that accepts messages as JSON, signed by the Standard Webhooks scheme. https in production. */
export const http = {
  type: 'http',
  methods: ['email', 'sms'],
  label: 'Your own gateway (signed HTTP)',
  destination: ['{url}'],
  settings,
  secrets: ['secret'],
  environment: [],
  advice: [],
} as const satisfies SenderKind
export type HttpSettings = z.infer<typeof settings>
